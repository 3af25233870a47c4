//===- FixtureBlock.h - threads of a block of the fixture -----*- C -*-===//
#ifndef MLAFUSE_RUNTIME_CTS_FIXTUREBLOCK_H
#define MLAFUSE_RUNTIME_CTS_FIXTUREBLOCK_H

#define BLOCK 64

#endif // MLAFUSE_RUNTIME_CTS_FIXTUREBLOCK_H
