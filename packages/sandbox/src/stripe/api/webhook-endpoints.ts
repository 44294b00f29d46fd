import { badValue, noSuch } from '../../http/errors.ts'
import { listPage, theOne } from '../../http/list.ts'
import { bool, emptyable, list, mergeMetadata, metadata, page, required, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import type { WebhookEndpoint } from '../types.ts'

function checkUrl(url: string): void {
  if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return
  throw badValue('Invalid URL: An explicit scheme (such as https) must be provided.', 'url', 'url_invalid')
}

const shape = {
  url: required(str()),
  enabled_events: required(list(str())),
  api_version: str(),
  connect: unsupported(),
  description: emptyable(str()),
  metadata: metadata(),
}

export const webhookEndpoints: Route[] = [
  readRoute(
    { name: 'webhookEndpoints.list', path: '/v1/webhook_endpoints', kind: 'webhook_endpoint', list: true, shape: page },
    ({ read, params }) =>
      listPage(read, { kind: 'webhook_endpoint', url: '/v1/webhook_endpoints', params, conditions: [] }),
  ),
  readRoute(
    { name: 'webhookEndpoints.retrieve', path: '/v1/webhook_endpoints/:id', kind: 'webhook_endpoint', shape: {} },
    async ({ read, id }) => shown('webhook_endpoint', await theOne(read, 'webhook_endpoint', id)),
  ),
  writeRoute(
    { name: 'webhookEndpoints.create', path: '/v1/webhook_endpoints', kind: 'webhook_endpoint', shape },
    async ({ world, params }) => {
      checkUrl(params.url)
      const secret = `whsec_${world.ids.text(32)}`
      const endpoint: WebhookEndpoint = {
        id: world.newId('we'),
        object: 'webhook_endpoint',
        api_version: params.api_version ?? null,
        application: null,
        created: world.now,
        description: params.description ?? null,
        enabled_events: params.enabled_events,
        livemode: false,
        metadata: mergeMetadata({}, params.metadata),
        status: 'enabled',
        url: params.url,
      }
      world.insert('webhook_endpoint', endpoint, { priv: { secrets: [{ secret, expiresAt: null }] } })
      // The secret is told this once and is no part of the stored object.
      return shown('webhook_endpoint', { ...endpoint, secret })
    },
  ),
  writeRoute(
    {
      name: 'webhookEndpoints.update',
      path: '/v1/webhook_endpoints/:id',
      kind: 'webhook_endpoint',
      shape: {
        url: str(),
        enabled_events: list(str()),
        description: emptyable(str()),
        disabled: bool(),
        metadata: metadata(),
      },
    },
    async ({ world, id, params }) => {
      if (!(await world.get('webhook_endpoint', id))) throw noSuch('webhook_endpoint', id)
      if (params.url) checkUrl(params.url)
      const endpoint = await world.change(
        'webhook_endpoint',
        id,
        (draft) => {
          draft.url = params.url ?? draft.url
          draft.enabled_events = params.enabled_events ?? draft.enabled_events
          if (params.description !== undefined) draft.description = params.description
          if (params.disabled !== undefined) draft.status = params.disabled ? 'disabled' : 'enabled'
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
        },
        null,
      )
      return shown('webhook_endpoint', endpoint)
    },
  ),
  writeRoute(
    {
      name: 'webhookEndpoints.del',
      method: 'DELETE',
      path: '/v1/webhook_endpoints/:id',
      kind: 'webhook_endpoint',
      shape: {},
    },
    async ({ world, unit, id }) => {
      if (!(await world.get('webhook_endpoint', id))) throw noSuch('webhook_endpoint', id)
      await world.remove('webhook_endpoint', id, null)
      await unit.query(
        `update ${unit.schema}.deliveries set state = 'failed' where endpoint = $1 and state = 'pending'`,
        [id],
      )
      return { type: 'object', kind: 'other', body: { id, object: 'webhook_endpoint', deleted: true } }
    },
  ),
]
