import type { PaymentLink } from '@agency/contract/types'
import { lazy } from 'react'
import { useListScreen } from '../../../lib/list/use-list-screen.ts'
import { type TabProps, useSettled } from '../../../lib/use-settled.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListSearch, ListSelect } from '../../../ui/list/fields.tsx'
import { ListScreen } from '../../../ui/list/ListScreen.tsx'
import { billingFailure } from '../billing-failure.ts'
import { linkColumns } from './link-columns.tsx'
import { linksList } from './links-list.ts'
import { useLinkActs } from './use-link-acts.tsx'

const Details = lazy(() => import('./LinkDetailsDialog.tsx').then((m) => ({ default: m.LinkDetailsDialog })))

const unit = ['payment link', 'payment links'] as const
const failureOf = billingFailure('payment links')
const nameOf = ({ name }: PaymentLink): string => name
const states = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'off', label: 'Off' },
] as const

export function LinksTab({ onSettled }: TabProps) {
  const screen = useListScreen(linksList)
  useSettled(screen.query, onSettled)
  const acts = useLinkActs({ onCreated: ({ id }) => screen.open(id), hrefOf: screen.hrefOf })
  return (
    <>
      <ListScreen
        screen={screen}
        label="Payment links"
        unit={unit}
        columns={linkColumns}
        nameOf={nameOf}
        actionsOf={acts.actionsOf}
        skeletonRows={5}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search plan, address or id" />
            <ListSelect screen={screen} field="state" label="Status" choices={states} />
            <AddButton blocked={acts.denial} onClick={acts.create}>
              Create Payment Link
            </AddButton>
          </>
        }
        failureOf={failureOf}
        empty={<EmptyState title="No payment links yet" text="Create a payment link and send it to the customer." />}
        details={(row) => <Details {...row} acts={acts} />}
      />
      {acts.dialogs}
    </>
  )
}
