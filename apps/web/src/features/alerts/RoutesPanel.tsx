import * as channels from '@agency/contract/descriptors/channels'
import type { Channel, Route } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import type { Action } from '../../ui/action.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { channelReads } from './alerts-search.ts'
import { nameOfRoute, routeColumns } from './route-columns.tsx'

const RouteDialog = lazy(() => import('./RouteDialog.tsx').then((m) => ({ default: m.RouteDialog })))
const DeleteRouteDialog = lazy(() => import('./DeleteRouteDialog.tsx').then((m) => ({ default: m.DeleteRouteDialog })))

type Act = { kind: 'add' } | { kind: 'edit' | 'delete'; route: Route }

const keyOf = ({ id }: Route) => id

/** Which messages go to which channel. */
export function RoutesPanel({ channels: rows }: { channels: readonly Channel[] | undefined }) {
  const { data, error, dataUpdatedAt, isPending, refetch } = useQuery(q(channels.listRoutes, {}))
  const [act, setAct] = useState<Act>()
  const changeDenial = useDenial(channels.createRoute)
  const switchRoute = useSwitch()
  const close = () => setAct(undefined)
  const blocked =
    changeDenial ??
    (rows === undefined ? 'The channels are not loaded' : rows.length === 0 ? 'Add a channel first' : undefined)
  const actionsOf = (route: Route): readonly Action[] => [
    { label: 'Edit', disabledReason: changeDenial, onSelect: () => setAct({ kind: 'edit', route }) },
    {
      label: route.is_enabled ? 'Switch off' : 'Switch on',
      disabledReason: changeDenial,
      onSelect: () => switchRoute(route),
    },
    {
      label: 'Delete',
      destructive: true,
      disabledReason: changeDenial,
      onSelect: () => setAct({ kind: 'delete', route }),
    },
  ]
  return (
    <Panel
      title="Routes"
      asOf={data ? dataUpdatedAt : null}
      error={error}
      onRetry={() => void refetch()}
      loading={isPending}
      skeleton={
        <div style={{ padding: '0 16px' }}>
          <SkeletonLines count={3} height={36} />
        </div>
      }
      actions={
        <ReasonedButton size="small" blocked={blocked} onClick={() => setAct({ kind: 'add' })}>
          Add route
        </ReasonedButton>
      }
      flush
    >
      <DataTable
        label="Routes"
        columns={routeColumns}
        rows={data?.routes}
        keyOf={keyOf}
        nameOf={nameOfRoute}
        actionsOf={actionsOf}
        empty={<EmptyState text="No routes yet, so nothing is sent." />}
      />
      <Suspense>
        {act?.kind === 'add' && rows ? <RouteDialog channels={rows} onClose={close} /> : null}
        {act?.kind === 'edit' ? <RouteDialog channels={rows ?? []} route={act.route} onClose={close} /> : null}
        {act?.kind === 'delete' ? <DeleteRouteDialog route={act.route} onClose={close} /> : null}
      </Suspense>
    </Panel>
  )
}

function useSwitch() {
  const update = useCall(channels.updateRoute, channelReads)
  return ({ id, version, is_enabled, channel_name }: Route) =>
    update.mutate(
      { params: { id }, body: { version, is_enabled: !is_enabled } },
      {
        success: `Switched ${is_enabled ? 'off' : 'on'}: route to ${channel_name}`,
        failure: `Not changed: route to ${channel_name}`,
      },
    )
}
