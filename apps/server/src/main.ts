import { quickenStart } from './platform/quick-start.ts'

const letGrow = quickenStart()
const { runConsole } = await import('./console.ts')
await runConsole()
letGrow()
