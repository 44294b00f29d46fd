import { scenarios } from './scenarios.ts'
import type { Store } from './store/store.ts'
import type { Deliverer } from './webhooks/deliver.ts'
import type { Engine } from './world/engine.ts'

type Parts = { store: Store; engine: Engine; deliverer: Deliverer; wallNow: () => number }

const shortest = 20_000
const longest = 60_000

/** What goes on in an agency while one looks at the screen, and how often. */
const happenings: [scenario: string, weight: number][] = [
  ['checkout_completed', 5],
  ['payment_succeeds', 5],
  ['customer_updated', 3],
  ['checkout_opened', 2],
  ['payment_fails', 1],
  ['subscription_started', 1],
  ['customer_created', 1],
]
const total = happenings.reduce((sum, [, weight]) => sum + weight, 0)

function choose(random: number): string {
  let left = random * total
  for (const [name, weight] of happenings) {
    left -= weight
    if (left < 0) return name
  }
  return 'payment_succeeds'
}

/** Now and then something happens by itself. Returns how to stop it. */
export function startActivity({ store, engine, deliverer, wallNow }: Parts): () => void {
  let timer: NodeJS.Timeout
  let stopped = false
  const something = async () => {
    await engine.tick()
    await store.write({ now: Math.floor(engine.now() / 1000), wallNow: wallNow() }, async (world) => {
      await scenarios[choose(world.random.next())]?.(world, {})
    })
    deliverer.kick()
  }
  const plan = () => {
    if (stopped) return
    timer = setTimeout(
      () => {
        // What could not happen now is left out; the next thing comes anyway.
        void something()
          .catch(() => undefined)
          .then(plan)
      },
      shortest + Math.random() * (longest - shortest),
    )
    timer.unref()
  }
  plan()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
