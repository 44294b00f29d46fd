import { noSuch, refused } from '../../http/errors.ts'
import { equals, listPage, theOne, within } from '../../http/list.ts'
import { bool, created, hash, mergeMetadata, metadata, page, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { noEvidence } from '../objects/dispute.ts'
import { closeDispute, submitEvidence } from '../rules/disputes.ts'

const { enhanced_evidence: _notImitated, ...texts } = noEvidence
const isText = (name: string): name is keyof typeof texts => Object.hasOwn(texts, name)
const evidence = hash({
  ...Object.fromEntries(Object.keys(texts).map((name) => [name, str(150_000)])),
  enhanced_evidence: unsupported(),
})

const isClosed = (status: string) => ['won', 'lost', 'warning_closed'].includes(status)

export const disputes: Route[] = [
  readRoute(
    {
      name: 'disputes.list',
      path: '/v1/disputes',
      kind: 'dispute',
      list: true,
      shape: { ...page, charge: str(), created: created(), payment_intent: str() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'dispute',
        url: '/v1/disputes',
        params,
        conditions: [
          ...equals('charge', params.charge),
          ...equals('payment_intent', params.payment_intent),
          ...within(params.created),
        ],
      }),
  ),
  readRoute({ name: 'disputes.retrieve', path: '/v1/disputes/:id', kind: 'dispute', shape: {} }, async ({ read, id }) =>
    shown('dispute', await theOne(read, 'dispute', id)),
  ),
  writeRoute(
    {
      name: 'disputes.update',
      path: '/v1/disputes/:id',
      kind: 'dispute',
      shape: { evidence, metadata: metadata(), submit: bool() },
    },
    async ({ world, id, params }) => {
      const dispute = await world.get('dispute', id)
      if (!dispute) throw noSuch('dispute', id)
      if (isClosed(dispute.status)) throw refused('This dispute is already closed')
      await world.change(
        'dispute',
        id,
        (draft) => {
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
          for (const [name, text] of Object.entries(params.evidence ?? {}))
            if (isText(name) && typeof text === 'string') draft.evidence[name] = text
        },
        'charge.dispute.updated',
      )
      const submits = params.evidence !== undefined && params.submit !== false
      return shown('dispute', submits ? await submitEvidence(world, id) : await world.need('dispute', id))
    },
  ),
  writeRoute(
    { name: 'disputes.close', path: '/v1/disputes/:id/close', kind: 'dispute', shape: {} },
    async ({ world, id }) => {
      const dispute = await world.get('dispute', id)
      if (!dispute) throw noSuch('dispute', id)
      if (isClosed(dispute.status)) throw refused('This dispute is already closed')
      return shown('dispute', await closeDispute(world, id, 'lost'))
    },
  ),
]
