import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

type Found = { path: string } | { missing: string }

const shells = ['chromium-headless-shell', 'chrome-headless-shell']
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const missing =
  'no Chromium was found; install one (chromium on the path), or let Playwright bring its own: npx playwright install chromium'

/** Chromium without what only a window needs, which takes a third of the processor for the same page; else any Chromium. */
export function findHeadlessShell(): Found {
  const found = onPath(shells) ?? debiansPackage('chromium-headless-shell', shells)
  return found === undefined ? findChromium() : { path: found }
}

/** An installed Chromium, else Playwright's own, else Debian's package when we may install it. */
export function findChromium(): Found {
  const found = onPath(browsers) ?? playwrightsOwn() ?? debiansPackage('chromium', browsers)
  return found === undefined ? { missing } : { path: found }
}

function onPath(names: readonly string[], path = process.env['PATH'] ?? ''): string | undefined {
  const candidates = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return candidates.find(isExecutable)
}

function playwrightsOwn(): string | undefined {
  const path = chromium.executablePath()
  if (existsSync(path)) return path
  spawnSync('playwright', ['install', 'chromium'], { stdio: ['ignore', 2, 2], timeout: 300_000 })
  return existsSync(path) ? path : undefined
}

function debiansPackage(name: string, programs: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
  return onPath(programs)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
