import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Off by default in axe: a control is called as it reads, and no target is too small for a finger. */
const more = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } }

/**
 * Every rule of axe on the page as it is. Only violations are read, so nothing else is described in full; and a page
 * without frames of other origins needs no second page in which axe puts the results of frames together.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], rules: more })
