import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

type Json = Record<string, unknown>
type Lock = { packages: Record<string, Json> }

const root = join(import.meta.dirname, '..')
let copy: string
const read = (path: string): Json => JSON.parse(readFileSync(join(copy, path), 'utf8')) as Json
const write = (path: string, json: Json) => writeFileSync(join(copy, path), JSON.stringify(json))

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'agency-lock-'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const folders = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules'))
  const manifests = folders.map((folder) => join(folder, 'package.json'))
  for (const file of ['package.json', 'package-lock.json', 'scripts/lock.mjs', ...manifests]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

function check() {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/lock.mjs'], { cwd: copy, encoding: 'utf8' })
  return { status, says: stderr.trim() }
}

/** Changes one entry of the lock, or adds it. */
function change(path: string, more: Json): void {
  const lock = read('package-lock.json') as Lock
  lock.packages[path] = { ...lock.packages[path], ...more }
  write('package-lock.json', lock)
}

const checksum = `sha512-${'A'.repeat(86)}==`

test('the lock of this project is in order', () => {
  expect(check()).toEqual({ status: 0, says: '' })
})

test.each<[string, string, Json, string]>([
  [
    'a git dependency',
    'node_modules/new',
    { version: '1.0.0', resolved: 'git+ssh://git@git.example/a/new.git#0a1b' },
    'comes from git+ssh',
  ],
  [
    'another host',
    'node_modules/pg',
    { resolved: 'https://files.example/pg-8.23.1.tgz' },
    'comes from https://files.example',
  ],
  ['a file', 'node_modules/pg', { resolved: 'file:../pg.tgz' }, 'comes from file:../pg.tgz'],
  ['no checksum', 'node_modules/pg', { integrity: undefined }, 'has no sha512 checksum'],
  ['a weak checksum', 'node_modules/pg', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no sha512 checksum'],
  [
    'no checksum of a tool that runs here',
    'node_modules/@biomejs/cli-linux-x64',
    { integrity: undefined },
    'has no sha512',
  ],
  [
    'no checksum under the name of a tool',
    'node_modules/@biomejs/cli-new',
    { version: '1.0.0', optional: true },
    'has no sha512',
  ],
  ['another package under this name', 'node_modules/pg', { name: 'pg-fork' }, 'is pg-fork under another name'],
  ['a version that is none', 'node_modules/pg', { version: 'https://files.example/pg.tgz' }, 'has the version https'],
  ['a link out of the project', 'node_modules/new', { link: true, resolved: '../new' }, 'is a link to ../new'],
  ['an install script', 'node_modules/pg', { hasInstallScript: true }, 'has an install script'],
  [
    'an install script further down',
    'node_modules/pg/node_modules/node',
    { version: '1.0.0', integrity: checksum, hasInstallScript: true },
    'has an install script',
  ],
])('refuses %s', (_what, path, more, says) => {
  change(path, more)
  expect(check()).toEqual({ status: 1, says: expect.stringContaining(`${path} ${says}`) })
})

test.each([
  'git+https://git.example/new.git',
  'github:a/new',
  'a/new',
  '^1.0.0',
  'latest',
  'npm:other@1.0.0',
  'file:../new',
])('refuses a dependency that is wanted as %s', (wanted) => {
  const manifest = read('apps/server/package.json')
  write('apps/server/package.json', {
    ...manifest,
    dependencies: { ...(manifest['dependencies'] as Json), new: wanted },
  })
  expect(check()).toEqual({
    status: 1,
    says: expect.stringContaining(`apps/server/package.json: dependencies wants new`),
  })
})

test('refuses to allow the script of what is not there', () => {
  const manifest = read('package.json')
  write('package.json', { ...manifest, allowScripts: { ...(manifest['allowScripts'] as Json), left: true } })
  expect(check()).toEqual({ status: 1, says: 'allowScripts of package.json names left, which has no install script' })
})
