// SPDX-License-Identifier: Apache-2.0
// Extensions. The target's transaction has clones of the initiator's extensions, which are copied back after the target
// has changed them. Extensions that the target adds move to the initiator's transaction.
#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <typeinfo>

#include <cxxabi.h>

#include "weft/tlm/noc.h"
#include "weft/tlm/noc_transactions.h"

namespace weft::tlm2 {

namespace {

constexpr const char* ExtensionsMessage = "/weft/noc/extensions";

std::string type_name(const ::tlm::tlm_extension_base& e) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(typeid(e).name(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : typeid(e).name();
}

/// An extension added by the target. This object is a placeholder while the target's transaction is released, because
/// the release deletes extensions that were set to be deleted with it.
struct added_extension final : ::tlm::tlm_extension_base {
  added_extension(unsigned i, ::tlm::tlm_extension_base* e) : index(i), what(e) {}
  ::tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const ::tlm::tlm_extension_base&) override {}
  void free() override { is_automatic = true; }

  const unsigned index;
  ::tlm::tlm_extension_base* const what;
  bool is_automatic = false;
};

void set_extension(::tlm::tlm_generic_payload& t, unsigned index, ::tlm::tlm_extension_base* e, bool is_automatic) {
  if (is_automatic && t.has_mm())
    t.set_auto_extension(index, e);
  else
    t.set_extension(index, e);  // without a memory manager it is deleted with the transaction
}

}  // namespace

void noc_base::send_extensions(transaction& from, delivery& to) {
  from.resize_extensions();  // shared objects that are loaded later may add kinds of extensions
  to.resize_extensions();
  to.set_gp_option(from.get_gp_option());
  to.extension_kinds = ::tlm::max_num_extensions();
  for (unsigned i = 0; i < to.extension_kinds; ++i) {
    const ::tlm::tlm_extension_base* const sent = from.get_extension(i);
    if (sent == nullptr) continue;
    if (::tlm::tlm_extension_base* const copy = sent->clone(); copy != nullptr)
      to.set_auto_extension(i, copy);
    else
      report_lost_extension(to.source, "initiator", i, *sent);
  }
}

bool noc_base::return_extensions(const delivery& from, transaction& to) {
  bool has_any = false;
  for (unsigned i = 0; i < from.extension_kinds; ++i) {
    const ::tlm::tlm_extension_base* const returned = from.get_extension(i);
    if (returned == nullptr) continue;
    has_any = true;
    if (::tlm::tlm_extension_base* const own = to.get_extension(i); own != nullptr) own->copy_from(*returned);
  }
  return has_any;
}

void noc_base::release(delivery& d) {
  request& r = *m_nodes[d.source].requests.find(d.what.tag)->whole;
  std::list<added_extension> added;
  for (unsigned i = 0; !r.abandoned && i < d.extension_kinds; ++i)
    if (d.get_extension(i) != nullptr && r.t->get_extension(i) == nullptr) added.emplace_back(i, d.get_extension(i));
  if (d.get_ref_count() > 1) {  // its target still uses it
    for (const added_extension& a : added) {
      if (::tlm::tlm_extension_base* const copy = a.what->clone(); copy != nullptr)
        set_extension(*r.t, a.index, copy, true);
      else
        report_lost_extension(d.destination, "target", a.index, *a.what);
    }
    return d.release();
  }
  for (added_extension& a : added) d.set_extension(a.index, &a);
  d.release();
  for (const added_extension& a : added) set_extension(*r.t, a.index, a.what, a.is_automatic);
}

void noc_base::report_lost_extension(node_id node, const char* side, unsigned index,
                                     const ::tlm::tlm_extension_base& lost) {
  if (!m_lost_extensions.emplace(index, side).second) return;
  const std::string type = type_name(lost);
  if (type.rfind("tlm_utils::", 0) == 0) return;  // SystemC's sockets keep their own state in these
  report(
      ExtensionsMessage, node, side,
      "the extension " + type +
          " is not transported, because its clone() returns null; return a copy made with new. Later losses of it are "
          "not reported.");
}

}  // namespace weft::tlm2
