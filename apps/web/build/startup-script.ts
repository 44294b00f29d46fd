import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const module = 'src/startup.ts'
const placeholder = '<!-- startup -->'

/** Bundles what runs before the app into one classic script, which waits for no other. */
export function startupScript(): Plugin {
  let root = ''
  let isBuild = false
  let file = ''
  return {
    name: 'startup-script',
    configResolved: (config) => {
      root = config.root
      isBuild = config.command === 'build'
    },
    async generateBundle() {
      if (!isBuild) return
      const { fileName, code } = await bundle(root)
      file = fileName
      this.emitFile({ type: 'asset', fileName, source: code })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          placeholder,
          isBuild ? `<script src="/${file}"></script>` : `<script type="module" src="/${module}"></script>`,
        ),
    },
  }
}

async function bundle(root: string): Promise<Rolldown.OutputChunk> {
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
        output: { format: 'iife', entryFileNames: 'assets/startup-[hash].js' },
      },
    },
  })
  const { output } = (Array.isArray(made) ? made[0] : made) as Rolldown.RolldownOutput
  return output[0]
}
