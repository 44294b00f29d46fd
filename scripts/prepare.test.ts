import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// A project with the same scripts, whose npm only writes down what it was asked and lays a Node where npm would.
let project: string
const at = (...parts: string[]) => join(project, ...parts)
const put = (path: string, content: string, mode = 0o644) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content, { mode })
}
const checksum = `sha512-${'A'.repeat(86)}==`
const scripted = { version: '1.0.0', integrity: checksum, hasInstallScript: true }
const putLock = (more: Record<string, unknown>) => {
  const packages = { '': {}, 'node_modules/node': scripted, 'node_modules/other': scripted, ...more }
  put('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }))
}
const npm = `#!/bin/sh
echo "$@" >> "$PROJECT/npm-calls"
[ -n "$NPM_FAILS" ] && exit 1
[ -n "$NPM_HANGS" ] && exec sleep 60
mkdir -p "$PROJECT/node_modules/.bin" "$PROJECT/node_modules/node" "$PROJECT/node_modules/other"
ln -sf "${process.execPath}" "$PROJECT/node_modules/.bin/node"
`

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'agency-prepare-'))
  cpSync(join(import.meta.dirname, 'prepared.sh'), at('scripts/prepared.sh'))
  cpSync(join(import.meta.dirname, 'prepare.mjs'), at('scripts/prepare.mjs'))
  cpSync(join(import.meta.dirname, 'lock.mjs'), at('scripts/lock.mjs'))
  put('bin/npm', npm, 0o755)
  put('package.json', JSON.stringify({ allowScripts: { node: true, other: false } }))
  putLock({})
  put('apps/web/src/main.tsx', '')
  put('packages/contract/src/index.ts', '')
  put('apps/server/src/main.ts', '')
  put(
    'node_modules/vite/bin/vite.js',
    "const into = process.argv[3] + '/dist/'; for (const name of ['index.html', 'main.js']) require('fs').writeFileSync(into + name, '')",
  )
  for (const app of ['web', 'server']) mkdirSync(at(`apps/${app}/dist`), { recursive: true })
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

function start(args: string[], env: Record<string, string> = {}) {
  const path = `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin`
  const child = spawn('sh', [at('scripts/prepared.sh'), ...args], { env: { PATH: path, PROJECT: project, ...env } })
  const done = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { child, done: done.then(([[status], output, errors]) => ({ status, output: output.trim(), errors })) }
}

const run = (args: string[], env?: Record<string, string>) => start(args, env).done
const npmCalls = () => (existsSync(at('npm-calls')) ? readFileSync(at('npm-calls'), 'utf8').trim().split('\n') : [])
const makeNewer = (path: string) => utimesSync(at(path), new Date(), new Date(Date.now() + 5000))

describe('installing', () => {
  test('happens once, and again when the lock file changes', async () => {
    expect(await run(['install', 'echo', 'started'])).toMatchObject({ status: 0, output: 'started' })
    expect(npmCalls()).toEqual([
      expect.stringMatching(/^ci --ignore-scripts --include=dev /),
      expect.stringMatching(/^rebuild --ignore-scripts=false .* node$/),
    ])
    await run(['install', 'true'])
    expect(npmCalls()).toHaveLength(2)
    putLock({ 'node_modules/new': { version: '1.0.0', integrity: checksum } })
    await run(['install', 'true'])
    expect(npmCalls()).toHaveLength(4)
  })

  test('does not begin when something is to come from elsewhere', async () => {
    putLock({
      'node_modules/new': { version: '1.0.0', resolved: 'git+https://git.example/new.git#1', integrity: checksum },
    })
    const { status, errors } = await run(['install', 'echo', 'started'])
    expect(status).toBe(1)
    expect(errors).toContain('node_modules/new comes from git+https://git.example/new.git#1, not from the registry')
    expect(npmCalls()).toEqual([])
  })

  test('that fails stops the start and is tried again the next time', async () => {
    const { status, output, errors } = await run(['install', 'echo', 'started'], { NPM_FAILS: 'yes' })
    expect([status, output]).toEqual([1, ''])
    expect(errors).toContain('failed, see above')
    expect(await run(['install', 'echo', 'started'])).toMatchObject({ status: 0, output: 'started' })
  })

  test('ends with its shell', async () => {
    const { child, done } = start(['install', 'echo', 'started'], { NPM_HANGS: 'yes' })
    await expect.poll(npmCalls).toHaveLength(1)
    child.kill('SIGTERM')
    expect(await done).toMatchObject({ status: 143, output: '' })
  })
})

describe('building', () => {
  const build = async () => {
    const { errors } = await run(['build', 'true'])
    return [...errors.matchAll(/^Building the (.*) …$/gm)].map(([, what]) => what)
  }

  test('happens when a source, the contract or the lock file is newer, and not for a test', async () => {
    expect(await build()).toEqual(['web app', 'console'])
    expect(await build()).toEqual([])
    const builtOf = {
      'apps/web/src/main.tsx': ['web app'],
      'apps/server/src/main.ts': ['console'],
      'packages/contract/src/index.ts': ['web app', 'console'],
    }
    for (const [path, built] of Object.entries(builtOf)) {
      makeNewer(path)
      expect([path, await build()]).toEqual([path, built])
      utimesSync(at(path), new Date(0), new Date(0))
    }
    put('apps/web/src/main.test.tsx', '')
    makeNewer('apps/web/src/main.test.tsx')
    expect(await build()).toEqual([])
  })

  test('is not asked for by a command that does without', async () => {
    expect((await run(['install', 'true'])).errors).not.toContain('Building')
    const status = spawn(process.execPath, [at('scripts/prepare.mjs'), 'status'], { stdio: 'ignore' })
    expect(await once(status, 'exit')).toEqual([1, null])
  })
})

test('the command takes the place of the shell, with its own Node first on the path', async () => {
  const { child, done } = start(['install', 'node', '-p', '[process.pid, process.env.PATH.split(":")[0]].join(" ")'])
  expect((await done).output).toBe(`${child.pid} ${at('node_modules/.bin')}`)
})
