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

async function anyDeployment(): Promise<string> {
  const found = () => api<{ deployments: { id: string }[] }>('/deployments?status=success')
  await expect.poll(async () => (await found()).deployments.length).toBeGreaterThan(0)
  return (await found()).deployments[0]?.id ?? ''
}

const lineOf = (number: number, text: string) => ({ number, at: '2026-11-21T10:00:00.000Z', text })

/** A deployment that is over, with a log of these lines in place of its own. */
async function withLines(page: Page, texts: readonly string[]): Promise<string> {
  const id = await anyDeployment()
  const lines = texts.map((text, at) => lineOf(at + 1, text))
  await page.route(`**/api/deployments/${id}/log?*`, (route) =>
    route.fulfill({ json: { lines, has_more: false, total: lines.length, complete: true } }),
  )
  return id
}

test('long lines that are wrapped stand below each other, to the last one', async ({ page }) => {
  // In a world that has just begun the first deployments are read half a minute later.
  await signIn(page, `/admin/deployments?open=${await withLines(page, texts)}&view=log`)
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

test('a tab reaches to the next of every four columns of the text, wrapped or not', async ({ page }) => {
  const tabbed = ['    x', '\tx', 'ab\tx', 'abcd\tx', '        x']
  await signIn(page, `/admin/deployments?open=${await withLines(page, tabbed)}&view=log`)
  const log = page.getByRole('region', { name: /^Log of / })
  const lastLetters = () =>
    log.locator('[data-line] bdi').evaluateAll((lines) =>
      lines.map(({ firstChild: text }) => {
        const range = document.createRange()
        range.setStart(text!, text!.textContent!.length - 1)
        range.setEnd(text!, text!.textContent!.length)
        return Math.round(range.getBoundingClientRect().left)
      }),
    )
  for (const wraps of [false, true]) {
    if (wraps) await page.getByRole('button', { name: 'Wrap lines' }).click()
    await expect(log).toHaveAttribute('data-wrap', String(wraps))
    await expect(log.locator('bdi')).toHaveCount(tabbed.length)
    const [four = 0, tab, afterTwo, afterFour, eight] = await lastLetters()
    expect([tab, afterTwo, afterFour]).toEqual([four, four, eight])
    expect(eight).toBeGreaterThan(four)
  }
})

/** A deployment that runs, whose log is so long at first; `come` lets more lines come. */
async function withComingLines(page: Page, first: number) {
  const id = await anyDeployment()
  let total = first
  const upTo = (after: number) =>
    Array.from({ length: total - after }, (_, at) => lineOf(after + at + 1, `step ${after + at + 1}`))
  const afterOf = (url: string) => Number(new URL(url).searchParams.get('after'))
  await page.route(`**/api/deployments/${id}`, async (route) => {
    const { deployment } = (await (await route.fetch()).json()) as { deployment: object }
    await route.fulfill({ json: { deployment: { ...deployment, is_log_complete: false } } })
  })
  await page.route(`**/api/deployments/${id}/log?*`, (route) => {
    const lines = upTo(afterOf(route.request().url()))
    return route.fulfill({ json: { lines, has_more: false, total, complete: false } })
  })
  await page.route(`**/api/deployments/${id}/log/stream?*`, (route) => {
    const data = JSON.stringify({ lines: upTo(afterOf(route.request().url())), total, complete: false })
    return route.fulfill({ contentType: 'text/event-stream', body: `event: lines\ndata: ${data}\n\n` })
  })
  const come = (more: number) => {
    total += more
  }
  return { id, come }
}

for (const wraps of [false, true]) {
  test(`the last line stays in sight until the reader scrolls up, with a way back${wraps ? ', wrapped' : ''}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const { id, come } = await withComingLines(page, 80)
    await signIn(page, `/admin/deployments?open=${id}&view=log`)
    const log = page.getByRole('region', { name: /^Log of / })
    const line = (number: number) => log.locator(`[data-line="${number}"]`)
    await expect(line(80)).toBeInViewport({ ratio: 1 })
    if (wraps) await page.getByRole('button', { name: 'Wrap lines' }).click()
    come(40)
    await expect(line(120)).toBeInViewport({ ratio: 1 })
    const back = page.getByRole('button', { name: 'Jump to the last line' })
    await expect(back).toBeHidden()

    await log.evaluate((box) => box.scrollBy({ top: -600 }))
    await expect(back).toBeVisible()
    const seen = () => log.evaluate(({ scrollTop }) => scrollTop)
    const before = await seen()
    come(40)
    await expect.poll(() => log.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThanOrEqual(160 * 20)
    expect(await seen()).toBe(before)
    await back.click()
    await expect(line(160)).toBeInViewport({ ratio: 1 })
    come(1)
    await expect(line(161)).toBeInViewport({ ratio: 1 })
  })
}
