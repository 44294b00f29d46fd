import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Once a screen of this width shows all that it has to show, it does not scroll sideways. */
export async function expectToFit(page: Page, widths: readonly number[], what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => page.evaluate(() => window.innerWidth), `${what} at ${width} px`).toBe(width)
    // What listens for the width has drawn anew after two frames, and may load what it draws.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await expect(page.locator('[aria-busy="true"]'), `${what} at ${width} px`).toHaveCount(0)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `${what} at ${width} px`).toBeLessThanOrEqual(0)
  }
}
