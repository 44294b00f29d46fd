import type { Locator, Page } from '@playwright/test'
import { api, expect, signIn, test } from './support/test.ts'

type Drawn = { top: number; bottom: number }

/** Where the groups of lines are drawn now, from top to bottom. */
const groupsOf = (log: Locator) =>
  log.locator('[data-index]').evaluateAll((groups) =>
    groups
      .map((group): Drawn => {
        const { top, bottom } = group.getBoundingClientRect()
        return { top, bottom }
      })
      .sort((one, other) => one.top - other.top),
  )

/** By how many pixels a group is drawn over the one above, or apart from it, at most. */
const worstGap = (groups: Drawn[]) =>
  Math.max(...groups.slice(1).map(({ top }, at) => Math.abs(top - (groups[at]?.bottom ?? top))))

/** How high all lines are together, each measured where it is drawn. */
const heightOfLines = (log: Locator) =>
  log.evaluate(async (box) => {
    const heights = new Map<string | null, number>()
    for (let top = 0; top < box.scrollHeight; top += box.clientHeight) {
      box.scrollTo({ top })
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame)
      for (const line of box.querySelectorAll('[data-line]'))
        heights.set(line.getAttribute('data-line'), line.getBoundingClientRect().height)
    }
    return [...heights.values()].reduce((sum, height) => sum + height, 0)
  })

const texts = Array.from({ length: 500 }, (_, at) => `${'a word and '.repeat((at * 7) % 60)}the end`)

/** A deployment that is over, with a log of long lines in place of its own. */
async function withLongLines(page: Page): Promise<string> {
  const found = () => api<{ deployments: { id: string }[] }>('/deployments?status=success')
  await expect.poll(async () => (await found()).deployments.length, { timeout: 60_000 }).toBeGreaterThan(0)
  const id = (await found()).deployments[0]?.id ?? ''
  const lines = texts.map((text, at) => ({ number: at + 1, at: '2026-11-21T10:00:00.000Z', text }))
  await page.route(`**/api/deployments/${id}/log?*`, (route) =>
    route.fulfill({ json: { lines, has_more: false, total: lines.length, complete: true } }),
  )
  return id
}

test('long lines that are wrapped stand below each other, to the last one', async ({ page }) => {
  // In a world that has just begun the first deployments are read half a minute later.
  test.setTimeout(120_000)
  await signIn(page, `/admin/deployments?open=${await withLongLines(page)}&view=log`)
  const log = page.getByRole('region', { name: /^Log of / })
  await expect(log.locator('[data-line="1"]')).toContainText('the end')
  await page.getByRole('button', { name: 'Wrap lines' }).click()
  await expect(log).toHaveAttribute('data-wrap', 'true')
  await expect.poll(async () => worstGap(await groupsOf(log))).toBeLessThan(1)
  // Before any but the first lines was laid out.
  const told = await log.evaluate(({ scrollHeight }) => scrollHeight)

  await log.focus()
  await page.keyboard.press('End')
  const last = log.locator(`[data-line="${texts.length}"]`)
  const below = async () => {
    const [line, box] = await Promise.all([last.boundingBox(), log.boundingBox()])
    return line && box ? line.y + line.height - (box.y + box.height) : Number.POSITIVE_INFINITY
  }
  await expect(last).toContainText('the end')
  await expect.poll(below).toBeLessThanOrEqual(0)
  await expect(last).toBeInViewport()
  await expect.poll(async () => worstGap(await groupsOf(log))).toBeLessThan(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('k')
  await expect(log.locator('[data-named="true"]')).toBeInViewport()
  await expect.poll(async () => worstGap(await groupsOf(log))).toBeLessThan(1)

  const drawn = await heightOfLines(log)
  expect(drawn).toBeGreaterThan(texts.length * 2 * 20)
  expect(Math.abs(told - drawn) / drawn).toBeLessThan(0.02)
})
