// install: installs what is missing. build: also builds the web app and the console when their sources are newer. status:
// fails when they are.
// Plain JavaScript for whatever Node is there.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allowedScripts, lockFaults } from './lock.mjs'

const project = fileURLToPath(new URL('../', import.meta.url))
const inProject = (...parts) => join(project, ...parts)
const oldestNode = [20, 19]
const ownNode = inProject('node_modules', '.bin', 'node')

class Refusal extends Error {}

/** @param {string} version @returns {boolean} */
function isNodeNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
}

/** Whether any of the sources was changed after the output; without an output it is. */
function isNewer(sources, output) {
  if (!existsSync(output)) return true
  const builtAt = statSync(output).mtimeMs
  return sources.some((source) => existsSync(source) && newestIn(source) > builtAt)
}

function newestIn(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = readdirSync(path).filter(
    (name) => name !== 'node_modules' && name !== 'dist' && !name.includes('.test.'),
  )
  return Math.max(0, ...names.map((name) => newestIn(join(path, name))))
}

// node_modules/.bin comes first on npm's path, and npm ci takes the Node that lies there away.
function pathWithoutOurs() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(project) || !folder.includes(`node_modules${sep}.bin`))
    .join(delimiter)
}

let running
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => running?.kill(signal) ?? process.exit(143))

function run(what, command, args, env = {}) {
  console.error(what)
  return new Promise((resolve, reject) => {
    running = spawn(command, args, { cwd: project, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } })
    running.once('error', reject)
    running.once('exit', (status, signal) => {
      running = undefined
      if (status === 0) resolve(undefined)
      else reject(new Refusal(signal ? `ended by ${signal}` : `"${command} ${args.join(' ')}" failed, see above`))
    })
  })
}

const npm = (what, ...args) => run(what, 'npm', args, { PATH: pathWithoutOurs() })

const stamp = inProject('node_modules', '.installed-from')
const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(inProject('package-lock.json')))
    .digest('hex')
const isInstalled = () => existsSync(ownNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()

async function install() {
  if (isInstalled()) return
  const faults = lockFaults()
  if (faults.length > 0) throw new Refusal(`Nothing is installed:\n${faults.join('\n')}`)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const sources = ['--include=dev', '--include=optional', '--allow-git=none', '--allow-remote=none']
  await npm('Installing dependencies …', 'ci', '--ignore-scripts', ...sources, ...quiet)
  const scripted = allowedScripts().filter((name) => existsSync(inProject('node_modules', name)))
  await npm('Installing Node.js and PostgreSQL …', 'rebuild', '--ignore-scripts=false', ...quiet, ...scripted)
  if (!existsSync(ownNode))
    throw new Refusal('npm did not install the package node; run: npm rebuild node --ignore-scripts=false')
  writeFileSync(stamp, lockHash())
}

const shared = ['packages/contract/src', 'package-lock.json', 'tsconfig.base.json']
const outputs = [
  { what: 'web app', folder: 'apps/web', output: 'index.html', sources: ['apps/web', ...shared] },
  {
    what: 'console',
    folder: 'apps/server',
    output: 'main.js',
    sources: ['apps/server/src', 'apps/server/vite.config.ts', 'packages/sandbox/src', ...shared],
  },
]

const staleOutputs = () =>
  outputs.filter(({ folder, output, sources }) =>
    isNewer(
      sources.map((path) => inProject(path)),
      inProject(folder, 'dist', output),
    ),
  )

async function build() {
  const vite = inProject('node_modules/vite/bin/vite.js')
  for (const { what, folder } of staleOutputs())
    await run(`Building the ${what} …`, ownNode, [vite, 'build', folder, '--logLevel', 'warn'])
}

async function prepare(what) {
  if (!isNodeNewEnough(process.versions.node))
    throw new Refusal(`Agency Console needs Node.js 20.19 or newer, this is ${process.version}: https://nodejs.org`)
  if (what === 'status') {
    const stale = staleOutputs().map((output) => output.what)
    if (stale.length > 0) throw new Refusal(`older than its sources: ${stale.join(', ')}`)
    return
  }
  await install()
  if (what === 'build') await build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await prepare(process.argv[2])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
