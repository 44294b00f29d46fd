import { noSuch, refused } from '../../http/errors.ts'
import { equals, listPage, theOne, within } from '../../http/list.ts'
import { anything, bool, created, mergeMetadata, metadata, page, str } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { closeDispute, submitEvidence } from '../rules/disputes.ts'

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
      shape: { evidence: anything(), metadata: metadata(), submit: bool() },
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
          if (params.evidence && typeof params.evidence === 'object') Object.assign(draft.evidence, params.evidence)
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
