import { holdWorlds } from './test/hold-worlds.ts'

holdWorlds('a few', 6)
