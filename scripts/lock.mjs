// Fails when what would be installed is not what was agreed on: from elsewhere, without a checksum, or with a script.
// Plain JavaScript for whatever Node is there: this runs before anything is installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ version?: string, resolved?: string, integrity?: string, link?: boolean, name?: string, optional?: boolean,
 *   dev?: boolean, os?: string[], cpu?: string[], libc?: string[], hasInstallScript?: boolean }} Entry
 * @typedef {Record<string, Record<string, unknown> | undefined>} Manifest
 */

const project = fileURLToPath(new URL('../', import.meta.url))
const exact = /^\d+\.\d+\.\d+(-[\w.-]+)?$/
const checksum = /^sha512-[\w+/]{86}==$/
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides']

// Development tools of other platforms, of which only name and version are known.
const toolsOfPlatforms = /^@(biomejs\/cli|swc\/core|oxc-parser\/binding)-/

/** @param {Entry} entry */
const runsHere = ({ os = [], cpu = [], libc = ['glibc'] }) =>
  os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64')) && libc.includes('glibc')

/** @param {string} path @param {Entry} entry */
const mayLackChecksum = (path, entry) =>
  toolsOfPlatforms.test(path.slice('node_modules/'.length)) &&
  entry.optional === true &&
  entry.dev === true &&
  !runsHere(entry)

/** @param {string} path @param {Entry} entry @param {Record<string, Entry>} packages @returns {string[]} */
function faultsOfEntry(path, entry, packages) {
  if (entry.link)
    return entry.resolved !== undefined && entry.resolved in packages && !entry.resolved.includes('node_modules')
      ? []
      : [`is a link to ${entry.resolved}, which is no part of this project`]
  const faults = []
  // npm leaves out the address of what the registry has, so that any registry will do.
  if (entry.resolved !== undefined) faults.push(`comes from ${entry.resolved}, not from the registry`)
  if (!exact.test(entry.version ?? '')) faults.push(`has the version ${entry.version}`)
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (entry.name !== undefined && entry.name !== name) faults.push(`is ${entry.name} under another name`)
  const lacksChecksum = entry.integrity === undefined && mayLackChecksum(path, entry)
  if (!lacksChecksum && !checksum.test(entry.integrity ?? '')) faults.push('has no sha512 checksum')
  return faults
}

/** @param {string} path @param {Entry} entry @param {Record<string, unknown>} allowed */
function scriptFaults(path, entry, allowed) {
  if (!entry.hasInstallScript) return []
  const name = path.slice('node_modules/'.length)
  return typeof allowed[name] === 'boolean'
    ? []
    : ['has an install script; allowScripts of package.json must say yes or no']
}

/** @param {string} file @param {Manifest} manifest */
function faultsOfManifest(file, manifest) {
  return kinds.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, wanted]) => typeof wanted !== 'string' || !exact.test(wanted))
      .map(([name, wanted]) => `${file}: ${kind} wants ${name} as ${JSON.stringify(wanted)}, not as one exact version`),
  )
}

/**
 * What is wrong with a lock file and the manifests by their files, each in one line.
 * @param {{ lockfileVersion?: number, packages?: Record<string, Entry> }} lock
 * @param {Record<string, Manifest>} manifests
 * @returns {string[]}
 */
export function findLockFaults(lock, manifests) {
  if (lock.lockfileVersion !== 3 || !lock.packages) return ['package-lock.json is not of version 3']
  const { packages } = lock
  const allowed = manifests['package.json']?.['allowScripts'] ?? {}
  const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'))
  return [
    ...installed.flatMap(([path, entry]) =>
      [...faultsOfEntry(path, entry, packages), ...scriptFaults(path, entry, allowed)].map(
        (fault) => `${path} ${fault}`,
      ),
    ),
    ...Object.keys(allowed)
      .filter((name) => !packages[`node_modules/${name}`]?.hasInstallScript)
      .map((name) => `allowScripts of package.json names ${name}, which has no install script`),
    ...Object.entries(manifests).flatMap(([file, manifest]) => faultsOfManifest(file, manifest)),
  ]
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(join(project, path), 'utf8'))

/** The packages that may run their install scripts, of those that are locked. @returns {string[]} */
export function allowedScripts() {
  const allowed = readJson('package.json').allowScripts ?? {}
  return Object.keys(allowed).filter((name) => allowed[name] === true)
}

/** @returns {string[]} */
export function lockFaults() {
  const lock = readJson('package-lock.json')
  const folders = Object.keys(lock.packages ?? {}).filter((path) => !path.includes('node_modules'))
  const files = folders.map((folder) => (folder === '' ? 'package.json' : `${folder}/package.json`))
  return findLockFaults(lock, Object.fromEntries(files.map((file) => [file, readJson(file)])))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = lockFaults()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
