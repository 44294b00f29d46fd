import type { Mail } from '@agency/contract/types'
import { lazy } from 'react'
import { formatCount } from '../../lib/format.ts'
import { chipsOf } from '../../lib/list/define-list.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { mailColumns } from './mail-columns.tsx'
import css from './settings.module.css'
import { mailsList } from './settings-search.ts'
import { mailChips } from './settings-words.ts'
import { sendBlock, useSendAgain } from './use-send-again.ts'

const MailDialog = lazy(() => import('./MailDialog.tsx').then((m) => ({ default: m.MailDialog })))

const nameOf = (mail: Mail) => `${mail.subject} to ${mail.to}`
const stateChoices = [
  { value: 'all', label: 'All' },
  ...Object.entries(mailChips).map(([value, { label }]) => ({ value, label })),
]

export function OutboxTab() {
  const screen = useListScreen(mailsList)
  const { send, sending } = useSendAgain()
  const waiting = screen.answer?.waiting ?? 0
  return (
    <ListScreen
      screen={screen}
      label="Outbox"
      many="mails"
      what="the outbox"
      columns={mailColumns}
      nameOf={nameOf}
      actionsOf={(mail) => [
        { label: 'Read', href: screen.hrefOf(mail) },
        {
          label: 'Send again',
          disabledReason: sendBlock(mail) ?? (sending ? 'Another mail is being sent again' : undefined),
          onSelect: () => send(mail),
        },
      ]}
      skeletonRows={8}
      toolbar={
        <>
          <ListSelect screen={screen} field="state" label="State" choices={stateChoices} />
          {waiting > 0 ? (
            <span className={css['muted']}>
              {formatCount(waiting)} unsent {waiting === 1 ? 'email' : 'emails'}
            </span>
          ) : null}
        </>
      }
      chips={chipsOf(mailsList.search, screen.state, { state: (state) => `State: ${mailChips[state].label}` })}
      empty="No emails yet. Invitations and password links appear here."
      details={(row) => <MailDialog {...row} />}
    />
  )
}
