import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { q } from '../../lib/api.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { countryName, formatCount } from '../../lib/format.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ChoiceInput, DayRange, RevenueRange } from './AdvancedInputs.tsx'
import { type AdvancedFields, advancedProblems, fieldsOf, filtersOf } from './advanced-fields.ts'
import { accountTypeLabels, type AdvancedFilters as Filters, noAdvancedFilters } from './customer-search.ts'
import css from './customers.module.css'

type Props = { state: Filters; currency: string; onApply: (filters: Filters) => void; onClose: () => void }

const accountTypes = Object.entries(accountTypeLabels).map(([value, label]) => ({ value, label }))

/** Filters that fewer visits need. They apply together, so that the list is asked once. */
export function AdvancedFilters({ state, currency, onApply, onClose }: Props) {
  const title = useId()
  const form = useEditForm<AdvancedFields>({
    values: fieldsOf(state, currency),
    problemsOf: (fields) => advancedProblems(fields, currency),
  })

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    form.submit((fields) => {
      onApply(filtersOf(fields, currency))
      onClose()
    })
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
          <ChoiceInput form={form} name="account_type" label="Account type" choices={accountTypes} />
          <PlanInput form={form} />
          <CountryInput form={form} />
          <RevenueRange form={form} currency={currency} />
          <DayRange form={form} label="Created" name="created" />
          <DayRange form={form} label="Last payment" name="last_payment" />
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

type FormProps = { form: EditForm<AdvancedFields> }

function PlanInput({ form }: FormProps) {
  const denial = useDenial(billing.listPlans)
  const plans = useQuery({ ...q(billing.listPlans, {}), enabled: denial === undefined })
  const choices = (plans.data?.plans ?? []).map((plan) => ({ value: plan.id, label: plan.name }))
  return (
    <ChoiceInput
      form={form}
      name="plan"
      label="Plan"
      choices={choices}
      help={denial ?? (plans.isError ? 'The plans could not be loaded' : undefined)}
      disabled={denial !== undefined}
    />
  )
}

function CountryInput({ form }: FormProps) {
  const countries = useQuery(q(customers.listCustomerCountries, {}))
  const choices = (countries.data?.countries ?? []).map(({ country, customers: count }) => ({
    value: country,
    label: `${countryName(country)} (${formatCount(count)})`,
  }))
  return (
    <ChoiceInput
      form={form}
      name="country"
      label="Country"
      choices={choices}
      help={countries.isError ? 'The countries could not be loaded' : undefined}
    />
  )
}
