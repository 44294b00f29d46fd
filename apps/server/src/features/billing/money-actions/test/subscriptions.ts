import { afterAll, afterEach, beforeAll } from 'vitest'
import { mirrorObject, sentAbout, startWorld, type World } from './world.ts'

export type Body = Record<string, unknown>

/** A world whose plans are mirrored, for the tests of one file, and what they ask of a subscription. */
export function useSubscriptions() {
  const own = {} as { world: World }
  beforeAll(async () => {
    own.world = await startWorld()
    for (const kind of ['product', 'price'] as const) {
      for (const { id } of await own.world.sandbox.control.dump(kind))
        await mirrorObject(own.world.console, kind, String(id))
    }
  })
  afterEach(() => own.world.sandbox.faults.clear())
  afterAll(() => own.world?.close())

  const dump = (kind: 'subscription' | 'price') => own.world.sandbox.control.dump(kind)
  return {
    own,
    later: (ms: number) => own.world.console.clock.advance(ms),
    mirrored: (id: string) =>
      own.world.console.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    atProvider: async (id: string): Promise<Body> => (await dump('subscription')).find((one) => one['id'] === id)!,
    priceId: async (lookupKey: string): Promise<string> =>
      String((await dump('price')).find((price) => price['lookup_key'] === lookupKey)!['id']),
    /** Calls that change something there; previews do not. */
    writesTo: (id: string) => sentAbout(own.world, id).filter(({ path }) => !path.endsWith('/create_preview')),
    patchRaw: async (id: string, change: Body): Promise<void> => {
      const values = [id, JSON.stringify(change)]
      await own.world.console.ctx.pool.query('update subscriptions set raw = raw || $2 where id = $1', values)
    },
  }
}
