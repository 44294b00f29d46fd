import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

/** What a file of the browser's cache holds, unpacked. */
async function readCacheFile(path: string): Promise<string> {
  const bytes = await readFile(path)
  const packedAt = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08]))
  if (packedAt === -1) return bytes.toString('latin1')
  try {
    // What follows the packed answer in its file is not part of it; zlib stops there.
    return `${bytes.toString('latin1')}${gunzipSync(bytes.subarray(packedAt), { finishFlush: 2 }).toString('utf8')}`
  } catch {
    return bytes.toString('latin1')
  }
}

async function filesWith(profile: string, text: string): Promise<string[]> {
  const entries = await readdir(profile, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /cache/i.test(entry.parentPath))
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return (await readCacheFile(path)).includes(text) ? path : null
    }),
  )
  return found.filter((path) => path !== null)
}

type Step = (page: Page) => Promise<unknown>

/** Looks at the customers in a browser with a profile of its own, ends as asked, and closes the browser. */
async function visit(profile: string, begin: Step, end: Step): Promise<void> {
  const { launchOptions } = test.info().project.use
  const context = await chromium.launchPersistentContext(profile, { ...launchOptions })
  const page = await context.newPage()
  await begin(page)
  await expect(dataRows(page.getByRole('table')).first()).toBeVisible()
  await end(page)
  await context.close()
}

async function logOut(page: Page): Promise<number> {
  const answered = page.waitForResponse('**/api/auth/logout')
  const started = performance.now()
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await (await answered).finished()
  return performance.now() - started
}

test('no customer stays on the browser’s disk after a logout', async () => {
  const [address, name] = ['/admin/customers?search=bangor+book', 'Bangor Book Exchange']
  const profile = await mkdtemp(join(tmpdir(), 'agency-profile-'))
  const goThere: Step = (page) => page.goto(`${consoleUrl()}${address}`)
  let begin: Step = (page) => signIn(page, address)
  try {
    // The world goes on by itself, and a browser that closes while it asks anew drops what it had.
    await expect(async () => {
      await visit(profile, begin, async () => {})
      begin = goThere
      expect(await filesWith(profile, '/api/stripe/customers')).not.toEqual([])
      expect(await filesWith(profile, name)).not.toEqual([])
    }).toPass()
    let tookMs = 0
    // The session goes on where the browser was closed without a logout.
    await visit(profile, goThere, async (page) => {
      tookMs = await logOut(page)
    })
    test.info().annotations.push({ type: 'logout', description: `${Math.round(tookMs)} ms` })
    expect(await filesWith(profile, '/api/stripe/customers')).toEqual([])
    expect(await filesWith(profile, name)).toEqual([])
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
})
