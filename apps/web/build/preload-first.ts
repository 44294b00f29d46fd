import type { HtmlTagDescriptor, Plugin } from 'vite'

type Chunk = {
  type: string
  fileName: string
  moduleIds?: string[]
  imports?: string[]
}
type Bundle = Record<string, Chunk>

const placeholder = '<meta name="console-scripts" content="{}" />'
const fonts = /roboto-latin-(400|500)-normal-.*\.woff2$/
const consoleModule = 'src/app/open-console.ts'
// The pages that people start on.
const pages: Record<string, string> = {
  '/admin': 'src/app/pages/dashboard.ts',
  '/admin/customers': 'src/app/pages/customers.ts',
  '/admin/subscriptions': 'src/app/pages/billing.ts',
  '/admin/payments': 'src/app/pages/billing.ts',
}

/**
 * Starts loading the fonts of the first screen with the script, and tells `startup.js` which further scripts the console
 * and its pages are made of, so that somebody who is signed in need not wait for one script to ask for the next.
 */
export function preloadFirst(): Plugin {
  return {
    name: 'preload-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const files = (bundle ?? {}) as Bundle
        return { html: html.replace(placeholder, scriptsMeta(files)), tags: fontTags(files) }
      },
    },
  }
}

function fontTags(bundle: Bundle): HtmlTagDescriptor[] {
  return Object.keys(bundle)
    .filter((name) => fonts.test(name))
    .map((name) => ({
      tag: 'link',
      attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
      injectTo: 'head',
    }))
}

function scriptsMeta(bundle: Bundle): string {
  const start = closureOf(bundle, 'src/main.tsx')
  const consoleFiles = closureOf(bundle, consoleModule)
  const pageFiles = Object.entries(pages).map(([path, module]) => [
    path,
    [...closureOf(bundle, module)].filter((file) => !start.has(file) && !consoleFiles.has(file)),
  ])
  const scripts = {
    console: [...consoleFiles].filter((file) => !start.has(file)),
    ...Object.fromEntries(pageFiles),
  }
  return `<meta name="console-scripts" content="${JSON.stringify(scripts).replaceAll('"', '&quot;')}" />`
}

function closureOf(bundle: Bundle, module: string): Set<string> {
  const files = new Set<string>()
  const visit = (fileName: string) => {
    if (files.has(fileName)) return
    files.add(fileName)
    bundle[fileName]?.imports?.forEach(visit)
  }
  const entry = Object.values(bundle).find((chunk) => chunk.moduleIds?.some((id) => id.endsWith(module)))
  if (entry) visit(entry.fileName)
  return files
}
