/* SPDX-License-Identifier: Apache-2.0 */
/* C = A x B on all cores. Core 0 generates the matrices in shared memory, wakes the other cores by software interrupts
   and sends each core its rows. The DMA engine copies blocks into local memories and the result back (or, in place, all
   cores work in shared memory). Core 0 checks and prints the result. */
#include "platform.h"

#define MOST 32                                   /* rows, and columns, of a matrix */
#define BLOCK (MOST * MOST)

typedef struct { word a[BLOCK], b[BLOCK], c[BLOCK]; } matrices;
#define shared ((matrices*)SHARED)
static matrices local;

/* Messages: kind, sender, and two small numbers. */
enum kind { NONE, WORK, COPIED, DONE };
static word message(word kind, word from, word first, word count) {
  return kind << 24 | from << 16 | first << 8 | count;
}
static word kind_of(word m) { return m >> 24; }
static word from_of(word m) { return m >> 16 & 0xff; }
static word first_of(word m) { return m >> 8 & 0xff; }
static word count_of(word m) { return m & 0xff; }

/* Variables that the interrupt handlers set */
static volatile word woken, alarm;      /* by software, by the timer */
static volatile word work;              /* the last message WORK */
static volatile word copies;            /* messages COPIED */
static volatile word rows_done, rows_by[4];

static void print(const char* text) {
  while (*text != 0) *UART = (word)*text++;
}

static void print_number(word n) {
  if (n >= 10) print_number(n / 10);
  *UART = '0' + n % 10;
}

static void print_hex(word n) {
  for (int shift = 28; shift >= 0; shift -= 4) {
    const word digit = n >> shift & 15;
    *UART = digit + (digit < 10 ? '0' : 'a' - 10);
  }
}

static void stop(word status) {
  *FINISH = status;
  for (;;) wait_for_interrupt();
}

static void take(word m) {
  switch (kind_of(m)) {
    case WORK:
      work = m;
      break;
    case COPIED:
      ++copies;
      break;
    case DONE:
      rows_by[from_of(m)] = count_of(m);
      rows_done += count_of(m);
      break;
    default:
      print("unexpected message ");
      print_hex(m);
      print("\n");
      stop(2);
  }
}

void trap(word cause, word pc, word value) {
  const word core = read_csr(mhartid);
  if (cause == 0x80000003) {
    *SOFTWARE_INTERRUPT(core) = 0;
    woken = 1;
  } else if (cause == 0x80000007) {
    clear_csr(mie, TIMER);
    alarm = 1;
  } else if (cause == 0x8000000b) {
    for (word m; (m = *MAILBOX(core)) != 0;) take(m);
  } else {
    print("core ");
    print_number(core);
    print(": trap ");
    print_number(cause);
    print(" at ");
    print_hex(pc);
    print(", ");
    print_hex(value);
    print("\n");
    stop(3);
  }
}

/* Waits until an interrupt handler makes the condition true. Interrupts are off between the check and the WFI, so none
   is lost. */
#define wait_until(condition)                    \
  do {                                           \
    clear_csr(mstatus, 8);                       \
    while (!(condition)) {                       \
      wait_for_interrupt();                      \
      set_csr(mstatus, 8);                       \
      clear_csr(mstatus, 8);                     \
    }                                            \
    set_csr(mstatus, 8);                         \
  } while (0)

/* Copies words with the DMA engine, and waits until it is done. */
static void copy(word core, volatile void* to, volatile void* from, word words) {
  volatile word* const dma = DMA(core);
  dma[0] = (word)from;
  dma[1] = (word)to;
  dma[2] = 4 * words;
  dma[3] = (word)MAILBOX(core);
  dma[4] = message(COPIED, core, 0, 0);
  const word before = copies;
  fence(); /* the source has been written */
  dma[5] = 1;
  wait_until(copies != before);
}

static void multiply_rows(const word* a, const word* b, word* c, word size, word rows) {
  for (word i = 0; i < rows; ++i)
    for (word j = 0; j < size; ++j) {
      word sum = 0;
      for (word k = 0; k < size; ++k) sum += a[i * size + k] * b[k * size + j];
      c[i * size + j] = sum;
    }
}

static void work_on(word core, word size, word first, word rows) {
  if (*IN_PLACE) {
    multiply_rows(shared->a + first * size, shared->b, shared->c + first * size, size, rows);
    return;
  }
  copy(core, local.a, shared->a + first * size, rows * size);
  copy(core, local.b, shared->b, size * size);
  multiply_rows(local.a, local.b, local.c, size, rows);
  copy(core, shared->c + first * size, local.c, rows * size);
}

static void make_matrices(word size) {
  word random = 1;
  for (word i = 0; i < size * size; ++i) {
    random = random * 1664525 + 1013904223;
    shared->a[i] = random >> 16;
    shared->b[i] = random & 0xffff;
  }
}

/* Freivalds: C r = A (B r) for a vector r. */
static int is_product(word size) {
  word r[MOST], br[MOST];
  for (word i = 0; i < size; ++i) r[i] = 2 * i + 1;
  for (word i = 0; i < size; ++i) {
    br[i] = 0;
    for (word k = 0; k < size; ++k) br[i] += shared->b[i * size + k] * r[k];
  }
  for (word i = 0; i < size; ++i) {
    word difference = 0;
    for (word k = 0; k < size; ++k) difference += shared->c[i * size + k] * r[k] - shared->a[i * size + k] * br[k];
    if (difference != 0) return 0;
  }
  return 1;
}

static word checksum(word words) {
  word sum = 0;
  for (word i = 0; i < words; ++i) sum = (sum << 5 | sum >> 27) ^ shared->c[i];
  return sum;
}

/* Waits for a timer interrupt a microsecond from now. */
static void sleep(word core) {
  TIMER_COMPARE(core)[1] = 0;
  *TIMER_COMPARE(core) = *MTIME + 10;
  set_csr(mie, TIMER);
  wait_until(alarm);
}

static int lead(word cores, word size) {
  print("multiplying on ");
  print_number(cores);
  print(cores == 1 ? " core\n" : " cores\n");
  make_matrices(size);
  for (word c = 1; c < cores; ++c) *SOFTWARE_INTERRUPT(c) = 1;
  sleep(0);
  const word own = size / cores;
  word first = own;
  for (word c = 1; c < cores; ++c) {
    const word rows = (size - first) / (cores - c);
    *MAILBOX(c) = message(WORK, 0, first, rows);
    first += rows;
  }
  work_on(0, size, 0, own);
  *MAILBOX(0) = message(DONE, 0, 0, own);
  wait_until(rows_done == size);
  for (word c = 0; c < cores; ++c) {
    print("core ");
    print_number(c);
    print(": ");
    print_number(rows_by[c]);
    print(" rows\n");
  }
  print("checksum ");
  print_hex(checksum(size * size));
  print("\n");
  if (!is_product(size)) {
    print("C is not A x B\n");
    return 1;
  }
  print("C = A x B\n");
  return 0;
}

int main(word core) {
  const word size = *SIZE;
  set_csr(mie, SOFTWARE | EXTERNAL);
  set_csr(mstatus, 8);
  if (core == 0) return lead(*CORES, size);
  wait_until(woken);
  for (;;) {
    wait_until(work);
    const word m = work;
    work = NONE;
    work_on(core, size, first_of(m), count_of(m));
    fence();  /* its rows are in shared memory */
    *MAILBOX(0) = message(DONE, core, first_of(m), count_of(m));
  }
}
