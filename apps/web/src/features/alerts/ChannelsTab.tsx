import * as channels from '@agency/contract/descriptors/channels'
import type { Channel } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import type { Action } from '../../ui/action.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { AlertsHeader } from './AlertsHeader.tsx'
import css from './alerts.module.css'
import { channelReads, channelsList } from './alerts-search.ts'
import { channelColumns } from './channel-columns.tsx'
import { DeliveriesPanel } from './DeliveriesPanel.tsx'
import { RoutesPanel } from './RoutesPanel.tsx'

const ChannelDialog = lazy(() => import('./ChannelDialog.tsx').then((m) => ({ default: m.ChannelDialog })))
const DeleteChannelDialog = lazy(() =>
  import('./DeleteChannelDialog.tsx').then((m) => ({ default: m.DeleteChannelDialog })),
)

type Act = { kind: 'add' } | { kind: 'edit' | 'delete'; channel: Channel }

const nameOf = ({ name }: Channel) => name

export function ChannelsTab() {
  const screen = useListScreen(channelsList)
  const { rows, denial } = screen
  const [act, setAct] = useState<Act>()
  const changeDenial = useDenial(channels.createChannel)
  const test = useSendTest()
  const close = () => setAct(undefined)
  const actionsOf = (channel: Channel): readonly Action[] => [
    { label: 'Send test', disabledReason: changeDenial, onSelect: () => test(channel) },
    { label: 'Edit', disabledReason: changeDenial, onSelect: () => setAct({ kind: 'edit', channel }) },
    {
      label: 'Delete',
      destructive: true,
      disabledReason: changeDenial,
      onSelect: () => setAct({ kind: 'delete', channel }),
    },
  ]
  return (
    <>
      <AlertsHeader
        tab="channels"
        summary={denial ? undefined : rows ? summaryOf(rows) : ''}
        actions={
          denial ? undefined : (
            <AddButton blocked={changeDenial} onClick={() => setAct({ kind: 'add' })}>
              Add channel
            </AddButton>
          )
        }
      />
      <ListScreen
        screen={screen}
        label="Channels"
        many="channels"
        columns={channelColumns}
        nameOf={nameOf}
        actionsOf={actionsOf}
        skeletonRows={3}
        withoutPager
        empty={
          <EmptyState
            title="No channels yet"
            text="Alerts and notices appear under the bell. Add mail addresses, a webhook or a Slack webhook to send them there too."
          />
        }
      />
      {denial ? null : (
        <div className={css['sections']}>
          <RoutesPanel channels={rows} />
          <DeliveriesPanel />
        </div>
      )}
      <Suspense>
        {act?.kind === 'add' ? <ChannelDialog onClose={close} /> : null}
        {act?.kind === 'edit' ? <ChannelDialog channel={act.channel} onClose={close} /> : null}
        {act?.kind === 'delete' ? <DeleteChannelDialog channel={act.channel} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

/** Sends a test and says what the channel answered. */
function useSendTest() {
  const send = useCall(channels.testChannel, channelReads)
  return ({ id, name }: Channel) =>
    send.mutate(
      { params: { id } },
      {
        success: (toast, { delivery }) =>
          delivery.state === 'sent'
            ? toast.success(`Test sent: ${name}`)
            : toast.error(`Test not sent: ${name}. ${delivery.error ?? ''}`.trim()),
        failure: `Test not sent: ${name}`,
      },
    )
}

/** `2 channels · 1 failing` */
function summaryOf(rows: readonly Channel[]): string {
  const failing = rows.filter(({ failing_since }) => failing_since !== null).length
  const count = `${formatCount(rows.length)} ${rows.length === 1 ? 'channel' : 'channels'}`
  return failing === 0 ? count : `${count} · ${formatCount(failing)} failing`
}
