import { answerGraphql, type GraphqlZone } from '../graphql/index.ts'
import type { Call, Route } from '../http/route.ts'
import type { Zone } from '../types.ts'

/** The zones whose analytics the token may read. */
async function readableZones({ db, schema, steering }: Call): Promise<Map<string, GraphqlZone>> {
  if (!steering.scopes.includes('Analytics:Read')) return new Map()
  const { rows } = await db.query<{ id: string; doc: Pick<Zone, 'name' | 'created_on' | 'plan'> }>(
    `select id, jsonb_build_object('name', name, 'created_on', doc->'created_on', 'plan', doc->'plan') as doc
     from ${schema}.cf_zones where (priv->>'analytics')::boolean`,
  )
  return new Map(
    rows.map(({ id, doc: { name, created_on, plan } }) => [
      id,
      { id, name, plan: plan?.legacy_id ?? '', createdAt: Date.parse(created_on) },
    ]),
  )
}

const budgetDepleted = (now: number) => ({
  data: null,
  errors: [
    {
      message: 'rate limiter budget depleted, try again after 5 minutes',
      path: null,
      extensions: { timestamp: new Date(now).toISOString() },
    },
  ],
})

export const graphqlRoutes: Route[] = [
  {
    name: 'graphql',
    method: 'POST',
    path: '/graphql',
    scope: null,
    body: ['query', 'variables'],
    async answer(call) {
      if (call.countQuery().blockedSeconds > 0) return { whole: budgetDepleted(call.now) }
      const zones = await readableZones(call)
      const context = { now: call.now, seed: call.account.seed, zone: (id: string) => zones.get(id) }
      return { whole: answerGraphql(context, call.body) }
    },
  },
]
