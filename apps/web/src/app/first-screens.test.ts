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

test('the calls of the first screen do not wait for what renders it', () => {
  const packages = [...loadedWith('startup.ts').keys()].filter((path) => !/\.tsx?$/.test(path))
  expect(packages).toEqual(['@agency/contract/descriptors'])
})

test('the check sees what a dialog loads', () => {
  expect([...loadedWith('ui/ConfirmDialog.tsx').keys()]).toContain('@mui/material/styles')
})
