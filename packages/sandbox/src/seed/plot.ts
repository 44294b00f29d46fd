import { runDue } from '../stripe/rules/dues.ts'
import type { CardOutcome, Customer, PaymentMethod, Price } from '../stripe/types.ts'
import { day } from '../world/periods.ts'
import type { Random } from '../world/random.ts'
import type { World } from '../world/world.ts'
import type { Catalogue } from './catalogue.ts'

export const month = Math.round(30.44 * day)

export type Scene = {
  world: World
  catalogue: Catalogue
  customerId: string
  methodId: string
  /** Subscriptions in the order they were started. */
  subscriptions: string[]
}

export type Step = { at: number; act: (scene: Scene) => Promise<unknown> }

/** What happens to one customer, written down before it happens. */
export type Plot = {
  start: number
  end: number
  random: Random
  currency: 'usd' | 'eur'
  steps: Step[]
}

/** A moment so many months (or days, as a fraction) after the customer came. */
export const after = (plot: Plot, months: number) => plot.start + Math.round(months * month)
export const before = (plot: Plot, months: number) => plot.end - Math.round(months * month)

export const stage = (plot: Plot, at: number, act: Step['act']) => void plot.steps.push({ at, act })

export function priceOf(scene: Scene, key: string): Price {
  const price = scene.catalogue.prices[key]
  if (!price) throw new Error(`The catalogue has no price '${key}'`)
  return price
}

export const customerOf = (scene: Scene): Promise<Customer> => scene.world.need('customer', scene.customerId)
export const methodIn = (scene: Scene): Promise<PaymentMethod> => scene.world.need('payment_method', scene.methodId)
export const setOutcome = (scene: Scene, outcome: CardOutcome | undefined) =>
  scene.world.setPriv('payment_method', scene.methodId, { outcome })

/** Plays the steps in their order, with everything that falls due in between. */
export async function play(scene: Scene, plot: Plot): Promise<void> {
  const { world } = scene
  const runUntil = async (until: number) => {
    for (let due = world.popDue(until); due; due = world.popDue(until)) {
      world.now = due.at
      await runDue(world, due)
    }
  }
  for (const step of [...plot.steps].sort((a, b) => a.at - b.at)) {
    if (step.at >= plot.end) break
    await runUntil(step.at)
    world.now = step.at
    await step.act(scene)
  }
  await runUntil(plot.end - 1)
  world.now = plot.end
}
