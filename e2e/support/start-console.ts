import { startConsoleProcess } from './console-process.ts'

/** One console for the whole run; its address reaches the tests through the environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const console = await startConsoleProcess()
  process.env['E2E_URL'] = console.url
  process.env['E2E_ADMIN_KEY'] = console.adminKey
  process.env['E2E_SANDBOX_URL'] = console.sandbox.baseUrl
  process.env['E2E_SANDBOX_KEY'] = console.sandbox.secretKey
  process.env['E2E_HOSTING_URL'] = console.sandbox.hosting.controlUrl
  process.env['E2E_HOSTING_KEY'] = console.sandbox.hosting.controlKey
  return () => console.stop()
}
