import { quickenStart } from './platform/quick-start.ts'

quickenStart()
const { runConsole } = await import('./console.ts')
await runConsole()
