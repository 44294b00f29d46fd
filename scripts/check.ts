import { runChecks } from './lib/check-steps.ts'
import { closingLine } from './lib/steps.ts'

const counts = await runChecks(process.argv.includes('--all') ? 'all' : 'quick')
console.log(closingLine(counts))
process.exitCode = counts.failed > 0 ? 1 : 0
