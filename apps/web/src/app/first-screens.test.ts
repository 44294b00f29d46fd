import { expect, test } from 'vitest'

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', eager: true, import: 'default' })
const staticImport = /^(?:import|export)\s(?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** The path of a module below `src/`, from the module that names it. */
function resolve(from: string, to: string): string {
  return new URL(to, `file:///src/${from}`).pathname.replace('/src/', '')
}

const byPath = new Map(Object.entries(sources).map(([path, source]) => [resolve('app/this', path), source]))

/** Everything that is loaded with a module, as the chain of modules that leads to it. */
function loadedWith(entry: string): Map<string, string> {
  const chains = new Map<string, string>()
  const visit = (path: string, chain: string) => {
    if (chains.has(path)) return
    chains.set(path, chain)
    for (const [, from, bare] of (byPath.get(path) ?? '').matchAll(staticImport)) {
      const target = from ?? bare ?? ''
      visit(target.startsWith('.') ? resolve(path, target) : target, `${chain} → ${target}`)
    }
  }
  visit(entry, entry)
  return chains
}

test.each([
  'main.tsx',
  'app/open-console.ts',
  'app/pages/dashboard.ts',
  'app/pages/customers.ts',
  'app/pages/billing.ts',
])('%s does not load the component library', (entry) => {
  const chains = loadedWith(entry)
  expect(chains.size).toBeGreaterThan(5)
  expect([...chains].filter(([path]) => /^@(mui|emotion)\//.test(path)).map(([, chain]) => chain)).toEqual([])
})

const descriptors = '@agency/contract/descriptors/'

test('the calls of the first screen do not wait for what renders it', () => {
  const packages = [...loadedWith('startup.ts').keys()].filter((path) => !/\.tsx?$/.test(path))
  expect(packages.sort()).toEqual(['auth', 'billing', 'customers', 'dashboard'].map((domain) => descriptors + domain))
})

test.each([
  ['main.tsx', ['auth']],
  ['app/login/LoginScreen.tsx', ['auth']],
  ['app/open-console.ts', ['auth', 'events', 'health', 'impersonation', 'mirror', 'notifications', 'purchases']],
  ['app/pages/dashboard.ts', ['auth', 'dashboard']],
  [
    'app/pages/customers.ts',
    ['auth', 'billing', 'customer-lifecycle', 'customers', 'impersonation', 'new-subscriptions'],
  ],
  ['app/pages/billing.ts', ['auth', 'billing', 'billing-changes', 'customer-lifecycle', 'dunning']],
])('%s loads the descriptors of no other screen', (entry, domains) => {
  const packages = [...loadedWith(entry).keys()].filter((path) => path.startsWith('@agency/'))
  expect(packages.sort()).toEqual(domains.map((domain) => descriptors + domain))
})

test('the check sees what a dialog loads', () => {
  expect([...loadedWith('ui/ConfirmDialog.tsx').keys()]).toContain('@mui/material/styles')
})
