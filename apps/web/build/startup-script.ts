import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const module = 'src/startup.ts'
const placeholder = '<!-- startup -->'

/** Bundles what runs before the app into the page itself, as one classic script: it waits for nothing, and nothing for it. */
export function startupScript(): Plugin {
  let root = ''
  let isBuild = false
  return {
    name: 'startup-script',
    configResolved: (config) => {
      root = config.root
      isBuild = config.command === 'build'
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => {
        const tag = isBuild
          ? `<script>${await bundle(root)}</script>`
          : `<script type="module" src="/${module}"></script>`
        return html.replace(placeholder, () => tag)
      },
    },
  }
}

async function bundle(root: string): Promise<string> {
  const made = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: {
        input: join(root, module),
        output: { format: 'iife' },
      },
    },
  })
  const { output } = (Array.isArray(made) ? made[0] : made) as Rolldown.RolldownOutput
  const code = output[0].code.trim()
  if (/<\/script|<!--/i.test(code)) throw new Error('the startup script would end within the page')
  return code
}
