import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { q } from '../../lib/api.ts'
import { countryName, formatCount } from '../../lib/format.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ChoiceField, DayRange, RevenueRange } from './AdvancedFields.tsx'
import { type Draft, draftOf, readDraft } from './advanced-draft.ts'
import { accountTypeLabels, type AdvancedFilters as Filters, noAdvancedFilters } from './customer-search.ts'
import css from './customers.module.css'

type Props = { state: Filters; currency: string; onApply: (filters: Filters) => void; onClose: () => void }

const accountTypes = Object.entries(accountTypeLabels).map(([value, label]) => ({ value, label }))

/** Filters that fewer visits need. They apply together, so that the list is asked once. */
export function AdvancedFilters({ state, currency, onApply, onClose }: Props) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(state, currency))
  const [tried, setTried] = useState(false)
  const title = useId()
  const read = readDraft(draft, currency)
  const problems = tried ? read.problems : {}
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!read.filters) return
    onApply(read.filters)
    onClose()
  }
  const handleClear = () => {
    onApply(noAdvancedFilters)
    onClose()
  }

  return (
    <Drawer open anchor="right" onClose={onClose} slotProps={{ paper: { role: 'dialog', 'aria-labelledby': title } }}>
      <form className={css['drawer']} onSubmit={handleSubmit} noValidate>
        <header className={css['drawerHead']}>
          <h2 id={title}>Advanced Filters</h2>
          <IconButton label="Close" onClick={onClose}>
            <Icon name="close" size={24} />
          </IconButton>
        </header>
        <div className={css['fields']}>
          <ChoiceField
            label="Account type"
            value={draft.account_type}
            choices={accountTypes}
            onChange={(account_type) => change({ account_type: account_type as Draft['account_type'] })}
          />
          <PlanField value={draft.plan} onChange={(plan) => change({ plan })} />
          <CountryField value={draft.country} onChange={(country) => change({ country })} />
          <RevenueRange draft={draft} currency={currency} problem={problems.revenue} onChange={change} />
          <DayRange
            label="Created"
            from={draft.created_from}
            to={draft.created_to}
            problem={problems.created}
            onChange={(created_from, created_to) => change({ created_from, created_to })}
          />
          <DayRange
            label="Last payment"
            from={draft.last_payment_from}
            to={draft.last_payment_to}
            problem={problems.lastPayment}
            onChange={(last_payment_from, last_payment_to) => change({ last_payment_from, last_payment_to })}
          />
        </div>
        <footer className={css['drawerFoot']}>
          <Button onClick={handleClear}>Clear all</Button>
          <Button type="submit" variant="contained">
            Apply filters
          </Button>
        </footer>
      </form>
    </Drawer>
  )
}

type FieldProps = { value: string; onChange: (value: string) => void }

function PlanField(props: FieldProps) {
  const denial = useDenial(billing.listPlans)
  const plans = useQuery({ ...q(billing.listPlans, {}), enabled: denial === undefined })
  const choices = (plans.data?.plans ?? []).map((plan) => ({ value: plan.id, label: plan.name }))
  return (
    <ChoiceField
      label="Plan"
      {...props}
      choices={choices}
      help={denial ?? (plans.isError ? 'The plans could not be loaded' : undefined)}
      disabled={denial !== undefined}
    />
  )
}

function CountryField(props: FieldProps) {
  const countries = useQuery(q(customers.listCustomerCountries, {}))
  const choices = (countries.data?.countries ?? []).map(({ country, customers: count }) => ({
    value: country,
    label: `${countryName(country)} (${formatCount(count)})`,
  }))
  return (
    <ChoiceField
      label="Country"
      {...props}
      choices={choices}
      help={countries.isError ? 'The countries could not be loaded' : undefined}
    />
  )
}
