import { holdWorlds } from './test/hold-worlds.ts'

holdWorlds('many', 300)
