import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './build/precompress.ts'
import { preloadFonts } from './build/preload-fonts.ts'

const api = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), preloadFonts(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/site-config.json': api } },
})
