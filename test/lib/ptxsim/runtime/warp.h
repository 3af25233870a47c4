/*===- warp.h - what lanes of a warp do together ----------------*- C -*-===*/
#ifndef PTXSIM_WARP_H
#define PTXSIM_WARP_H

#include "thread.h"

/* Does the work of all lanes when the last one comes; `operands[lane]` is what
 * that lane gave, results included. */
typedef void Together(u32 members, void **operands);

/* Lanes that wait for others of their group: of a warp, or of four warps. */
typedef struct {
  Together *work;
  const char *at;
  u32 arrived, members; /* Lanes; of a warpgroup, counts. */
  void *operands[128];
} Meeting;
enum { MEETINGS = 4 };
static Meeting meetings[MAX_THREADS / WARP_SIZE][MEETINGS];
static Meeting groupMeetings[MAX_THREADS / 128];

static Meeting *findMeeting(u32 members, Together *work) {
  Meeting *empty = NULL;
  for (u32 i = 0; i < MEETINGS; i++) {
    Meeting *m = &meetings[self->warp][i];
    if (m->arrived == 0)
      empty = m;
    else if (m->members & members) {
      if (m->members != members || m->work != work)
        fail("lanes of warp %u meet at different instructions: the others wait "
             "at '%s'",
             self->warp, m->at);
      return m;
    }
  }
  if (!empty)
    fail("more groups of lanes wait than there can be");
  empty->work = work;
  empty->members = members;
  empty->at = self->at;
  return empty;
}

/* The lanes of `members` (without those that there are not) meet. */
static void meet(const char *at, u32 members, Together *work, void *operands) {
  self->at = at;
  members &= lanesOfWarp(self->warp);
  if (!(members >> self->lane & 1))
    fail("the lane is not among 0x%x, which it names", members);
  Meeting *m = findMeeting(members, work);
  m->operands[self->lane] = operands;
  m->arrived |= 1u << self->lane;
  if (m->arrived != members) {
    blockSelf();
    return;
  }
  work(members, m->operands);
  m->arrived = 0;
  for (u32 lane = 0; lane < WARP_SIZE; lane++)
    if (members >> lane & 1 && lane != self->lane)
      makeReady(threadOfWarp(self->warp, lane));
}

/* All lanes, which must be at the same instruction. */
static void meetAligned(const char *at, Together *work, void *operands) {
  self->at = at;
  u32 all = lanesOfWarp(self->warp);
  const Meeting *m = findMeeting(all, work);
  if (m->arrived != 0 && m->at != at)
    fail("lanes of warp %u meet at different instructions: the others wait at "
         "'%s'",
         self->warp, m->at);
  if (all != ~0u)
    fail("warp %u has no 32 lanes for this instruction", self->warp);
  meet(at, all, work, operands);
}

/* The 128 threads of a warpgroup meet. */
static void meetGroup(const char *at, Together *work, void *operands) {
  self->at = at;
  u32 group = self->index / 128;
  Meeting *m = &groupMeetings[group];
  if (block.count < 128 * (group + 1))
    fail("the block has no four warps for this warpgroup");
  if (m->arrived == 0) {
    m->work = work;
    m->at = at;
  } else if (m->at != at) {
    fail("warps of a warpgroup meet at different instructions: others wait at "
         "'%s'",
         m->at);
  }
  m->operands[self->index % 128] = operands;
  if (++m->arrived != 128) {
    blockSelf();
    return;
  }
  m->arrived = 0;
  work(128, m->operands);
  for (u32 i = 0; i < 128; i++)
    if (i != self->index % 128)
      makeReady(&block.threads[128 * group + i]);
}

#define FOR_MEMBERS(members)                                                   \
  for (u32 lane = 0; lane < WARP_SIZE; lane++)                                 \
    if ((members) >> lane & 1)

/* shfl.sync */
typedef struct {
  u32 value, b, c, mode; /* mode: 'u', 'd', 'b' or 'i'. */
  u32 result, isInRange;
} Shuffle;
static void shuffleLanes(u32 members, void **operands) {
  FOR_MEMBERS(members) {
    Shuffle *s = operands[lane];
    u32 bound = s->c & 31, segment = s->c >> 8 & 31, from;
    u32 high = (lane & segment) | (bound & ~segment);
    u32 low = lane & segment;
    int inRange;
    switch (s->mode) {
    case 'u':
      from = lane - (s->b & 31);
      inRange = (i32)from >= (i32)high;
      break;
    case 'd':
      from = lane + (s->b & 31);
      inRange = from <= high;
      break;
    case 'b':
      from = lane ^ (s->b & 31);
      inRange = from <= high;
      break;
    default:
      from = low | (s->b & 31 & ~segment);
      inRange = from <= high;
    }
    if (!inRange)
      from = lane;
    if (!(members >> from & 1))
      fail("lane %u reads lane %u, which takes no part", lane, from);
    s->result = ((Shuffle *)operands[from])->value;
    s->isInRange = (u32)inRange;
  }
}
u32 shuffle(const char *at, u32 mode, u32 value, u32 b, u32 c, u32 members,
            u32 *inRange) {
  Shuffle s = {value, b, c, mode, 0, 0};
  meet(at, members, shuffleLanes, &s);
  if (inRange)
    *inRange = s.isInRange;
  return s.result;
}

/* vote.sync, activemask and the like: the lanes for which a predicate holds. */
typedef struct {
  u32 value, result;
} Word;
static void ballotLanes(u32 members, void **operands) {
  u32 all = 0;
  FOR_MEMBERS(members) if (((Word *)operands[lane])->value) all |= 1u << lane;
  FOR_MEMBERS(members)((Word *)operands[lane])->result = all;
}
u32 ballot(const char *at, u32 predicate, u32 members) {
  Word w = {predicate, 0};
  meet(at, members, ballotLanes, &w);
  return w.result;
}

static void matchLanes(u32 members, void **operands) {
  FOR_MEMBERS(members) {
    Word *w = operands[lane];
    w->result = 0;
    for (u32 other = 0; other < WARP_SIZE; other++)
      if (members >> other & 1 && ((Word *)operands[other])->value == w->value)
        w->result |= 1u << other;
  }
}
u32 matchAny(const char *at, u32 value, u32 members) {
  Word w = {value, 0};
  meet(at, members, matchLanes, &w);
  return w.result;
}

/* redux.sync of 32 bits. */
#define DEFINE_REDUX(name, type, expression)                                   \
  static void name##Lanes(u32 members, void **operands) {                      \
    int isFirst = 1;                                                           \
    type a = 0;                                                                \
    FOR_MEMBERS(members) {                                                     \
      type b = (type)((Word *)operands[lane])->value;                          \
      a = isFirst ? b : (expression);                                          \
      isFirst = 0;                                                             \
    }                                                                          \
    FOR_MEMBERS(members)((Word *)operands[lane])->result = (u32)a;             \
  }                                                                            \
  u32 name(const char *at, u32 value, u32 members) {                           \
    Word w = {value, 0};                                                       \
    meet(at, members, name##Lanes, &w);                                        \
    return w.result;                                                           \
  }
DEFINE_REDUX(redux_add, u32, a + b)
DEFINE_REDUX(redux_min_u32, u32, MIN(a, b))
DEFINE_REDUX(redux_max_u32, u32, MAX(a, b))
DEFINE_REDUX(redux_min_s32, i32, MIN(a, b))
DEFINE_REDUX(redux_max_s32, i32, MAX(a, b))
DEFINE_REDUX(redux_and, u32, a &b)
DEFINE_REDUX(redux_or, u32, a | b)
DEFINE_REDUX(redux_xor, u32, a ^ b)

static void nothing(u32 members, void **operands) {
  (void)members;
  (void)operands;
}
void syncWarp(const char *at, u32 members) { meet(at, members, nothing, NULL); }

#endif
