import type { Plugin, Rolldown } from 'vite'

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo' | 'getModuleIds'>

const startModule = '/index.html'
const loginModule = '/src/app/login/LoginScreen.tsx'
/** The console and the pages that people start on. */
const firstModules = [
  '/src/app/open-console.ts',
  '/src/app/pages/dashboard.ts',
  '/src/app/pages/customers.ts',
  '/src/app/pages/billing.ts',
]

const ofStart = new Set<string>()
const ofLogin = new Set<string>()
const ofConsole = new Set<string>()

const isStyle = (id: string) => /\.css(\?|$)/.test(id)
const isFirst = (id: string) => ofConsole.has(id) || ofLogin.has(id)

/**
 * Puts the console and the pages that people start on into one chunk. Left alone, every piece that two pages share becomes
 * a chunk of its own, and on a slow machine forty small scripts take longer to be handed over than to be run.
 */
export const firstChunks: NonNullable<Rolldown.OutputOptions['codeSplitting']> = {
  groups: [
    { name: 'start', test: (id) => ofStart.has(id) || (isStyle(id) && isFirst(id)), priority: 4 },
    { name: 'styles', test: isStyle, priority: 3 },
    // Somebody who is yet to sign in need not load the console.
    { name: 'entry', test: (id) => ofConsole.has(id) && ofLogin.has(id), priority: 2 },
    { name: 'console', test: (id) => ofConsole.has(id), priority: 1 },
    // What the login takes from MUI, which the first dialog needs as well.
    { name: 'fields', test: (id) => ofLogin.has(id) && !id.endsWith(loginModule), priority: 0 },
  ],
}

/**
 * Asks the browser to compile the functions of the first chunks while it receives them, beside the page. Left alone, it
 * compiles each when it is first called, on a slow machine for a tenth of the time until the first rows.
 * https://v8.dev/blog/explicit-compile-hints
 */
export function compileHint(): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    // The comment must be a script's first line, and Vite still puts one of its own before what it was given.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          if (!chunk.moduleIds.some((id) => ofStart.has(id) || ofConsole.has(id))) continue
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        }
      },
    },
  }
}

/** Finds out, before chunks are made, which modules the first screens load. */
export function findFirstModules(): Plugin {
  return {
    name: 'find-first-modules',
    apply: 'build',
    buildEnd() {
      const ids = [...this.getModuleIds()]
      const named = (path: string) => {
        const found = ids.find((id) => id.endsWith(path))
        if (!found) throw new Error(`the build has no module ${path}: name the one that took its place`)
        return found
      }
      collect(this, named(startModule), ofStart)
      collect(this, named(loginModule), ofLogin)
      for (const path of firstModules) collect(this, named(path), ofConsole)
    },
  }
}

function collect(graph: Graph, id: string, into: Set<string>): void {
  if (into.has(id)) return
  into.add(id)
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) collect(graph, next, into)
}
