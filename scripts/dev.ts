import { type ChildProcess, spawn } from 'node:child_process'
import { loadConfig } from '../apps/server/src/config.ts'
import { project } from './lib/steps.ts'

// The server starts again when its files change, Vite brings changes of the web app to the browser; both end together.
const { host, port } = loadConfig()
const environment = { ...process.env, API_ORIGIN: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}` }
const commands = [
  ['node', '--watch-preserve-output', '--watch', 'apps/server/src/main.ts'],
  ['vite', 'apps/web'],
]

const children = commands.map(([program = '', ...args]) =>
  spawn(program, args, { cwd: project, env: environment, stdio: 'inherit' }),
)
const ended = children.map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))

function end(signal: NodeJS.Signals): void {
  const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
  for (const child of children.filter(isRunning)) child.kill(signal)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end('SIGTERM'))
await Promise.race(ended)
end('SIGTERM')
await Promise.all(ended)
