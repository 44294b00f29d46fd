import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHint, findFirstModules, firstChunks } from './build/first-chunks.ts'
import { precompress } from './build/precompress.ts'
import { preloadFirst } from './build/preload-first.ts'
import { startupScript } from './build/startup-script.ts'
import { themeCss } from './build/theme-css.ts'

const api = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), themeCss(), findFirstModules(), startupScript(), preloadFirst(), compileHint(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: firstChunks } },
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/site-config.json': api } },
})
