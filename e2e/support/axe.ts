import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * Every rule of axe on the page as it is. Only violations are read, so nothing else is described in full; and a page
 * without frames of other origins needs no second page in which axe puts the results of frames together.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
