// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/gnuplot.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/core/escape.h"
#include "weft/file/interruption.h"

namespace weft::experiment {

namespace {

/// Returns a descriptor from which gnuplot reads \p script. It belongs to a file in memory, because a pipe could block
/// while gnuplot writes its output.
int open_script(const std::string& script) {
  const int file = memfd_create("gnuplot", MFD_CLOEXEC);
  for (std::size_t done = 0; done < script.size();) {
    const ssize_t put = write(file, script.data() + done, script.size() - done);
    if (put < 0 && errno != EINTR) throw no_picture("cannot draw the picture: no memory for the script of gnuplot");
    if (put > 0) done += static_cast<std::size_t>(put);
  }
  lseek(file, 0, SEEK_SET);
  return file;
}

/// Runs gnuplot with \p script and returns its standard output.
std::string output_of_gnuplot(const std::string& script) {
  constexpr int NoSuchCommand = 127;
  const int commands = open_script(script);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw no_picture("cannot draw the picture: cannot create a pipe to gnuplot");
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    dup2(commands, STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    // --default-settings ignores ~/.gnuplot, which could change the picture
    execlp("gnuplot", "gnuplot", "--default-settings", static_cast<char*>(nullptr));
    _exit(NoSuchCommand);
  }
  close(ends[1]);
  close(commands);
  std::string bytes;
  char block[1 << 16];
  ssize_t got = 0;
  while ((got = read_from_writer(ends[0], block, sizeof block)) > 0) bytes.append(block, static_cast<std::size_t>(got));
  const bool stopped = got < 0 && errno == EINTR;
  if (stopped && child > 0) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (stopped) throw interrupted("interrupted while gnuplot drew a picture; it is not written");
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == NoSuchCommand))
    throw no_picture("cannot draw the picture: gnuplot is missing; install the Debian package gnuplot-nox");
  if (status != 0 || bytes.empty()) throw no_picture("cannot draw the picture: gnuplot failed or wrote nothing");
  return bytes;
}

/// Makes an SVG fit for an HTML page: sets the title of the picture, removes the titles that gnuplot gives unnamed
/// parts, and removes everything before the element <svg>.
std::string tidied_svg(std::string svg, const std::string& title, const std::string& name) {
  svg.erase(0, svg.find("<svg"));
  const std::string_view begin = "<title>", end = "</title>";
  const std::size_t first = svg.find(begin), last = svg.find(end);
  if (first < last && last != std::string::npos)
    svg.replace(first + begin.size(), last - first - begin.size(), xml_text(title));
  const std::string part = fmt::format("<title>{}_plot_", name);
  for (std::size_t at = 0; (at = svg.find(part, at)) != std::string::npos;)
    svg.erase(at, svg.find(end, at) + end.size() - at);
  return svg;
}

}  // namespace

std::string draw(const picture& p, picture_format format, const std::string& id) {
  std::string name = id;  // gnuplot accepts letters, digits and underscores
  std::replace(name.begin(), name.end(), '-', '_');
  const std::string terminal =
      format == picture_format::Svg
          ? fmt::format("svg size {},{} font 'sans-serif,12' name '{}'", p.width, p.height, name)
          : fmt::format("pngcairo size {},{} font 'sans,12' fontscale 2 linewidth 2 pointscale 2", 2 * p.width,
                        2 * p.height);
  const std::string bytes = output_of_gnuplot(
      fmt::format("set encoding utf8\nset terminal {} dashlength 0.8 background rgb 'white'\n{}", terminal, p.script));
  return format == picture_format::Svg ? tidied_svg(bytes, p.title, name) : bytes;
}

std::string series_colour(std::size_t index) {
  constexpr const char* Colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
  return Colours[index % std::size(Colours)];
}

std::string line_style(std::size_t index) {
  constexpr std::size_t Colours = 7;
  constexpr const char* Dashes[] = {"1", "'-'", "'.'", "'_.'"};
  static_assert(MaxSeries == Colours * std::size(Dashes));
  return fmt::format("lc rgb '{}' dt {}", series_colour(index), Dashes[index / Colours % std::size(Dashes)]);
}

std::string marker_style(std::size_t index) {
  constexpr int Markers[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
  return fmt::format("pt {}", Markers[index % std::size(Markers)]);
}

const std::vector<std::string>& heat_colours() {
  static const std::vector<std::string> colours = {"#ffeda0", "#fed976", "#feb24c", "#fd8d3c",
                                                   "#fc4e2a", "#e31a1c", "#bd0026", "#800026"};
  return colours;
}

}  // namespace weft::experiment
