import type { HtmlTagDescriptor, Plugin } from 'vite'

type Chunk = {
  type: string
  fileName: string
  moduleIds?: string[]
  imports?: string[]
}
type Bundle = Record<string, Chunk>

const placeholder = '<meta name="console-scripts" content="" />'
const fonts = /roboto-latin-(400|500)-normal-.*\.woff2$/

/**
 * Starts loading the fonts of the first screen with the script, and tells `startup.ts` which further scripts the console
 * is made of, so that somebody who is signed in need not wait for one script to ask for the next.
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
  const scripts = [...closureOf(bundle, 'src/app/open-console.ts')].filter((file) => !start.has(file))
  return `<meta name="console-scripts" content="${scripts.join(' ')}" />`
}

function closureOf(bundle: Bundle, module: string): Set<string> {
  const files = new Set<string>()
  const visit = (fileName: string) => {
    if (files.has(fileName)) return
    files.add(fileName)
    bundle[fileName]?.imports?.forEach(visit)
  }
  const entry = Object.values(bundle).find((chunk) => chunk.moduleIds?.some((id) => id.endsWith(module)))
  if (!entry) throw new Error(`the build has no chunk with ${module}`)
  visit(entry.fileName)
  return files
}
