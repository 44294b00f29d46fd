import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useRef, useState } from 'react'
import { nameOf } from '../../../lib/names.ts'
import css from './form.module.css'
import type { Owner } from './site-fields.ts'
import { useOwners } from './use-owners.ts'

type Props = {
  value: Owner | null
  problem: string | undefined
  disabled: boolean
  onChange: (owner: Owner | null) => void
}

export function OwnerField({ value, problem, disabled, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLDivElement>(null)
  // What stands in the field because it was chosen is no search.
  const { owners, hasMore, isLoading, isSaved } = useOwners(value && typed === nameOf(value) ? '' : typed)
  const more = hasMore && typed ? 'More customers match: type more' : 'Optional: search by name or email'
  const help = isSaved ? 'Customers could not be loaded. Showing the last known ones.' : more
  return (
    <Autocomplete<Owner>
      ref={field}
      options={owners}
      value={value}
      disabled={disabled}
      loading={isLoading}
      noOptionsText={isSaved ? 'No saved customer matches' : 'No customer matches'}
      // Within the dialog, where a screen reader looks for it, yet not cut at its edge.
      slotProps={{
        popper: {
          container: () => field.current?.closest('[role=dialog]') ?? null,
          popperOptions: { strategy: 'fixed' },
        },
      }}
      // The server has searched already.
      filterOptions={(options) => options}
      getOptionLabel={nameOf}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(option, chosen) => option.id === chosen.id}
      onChange={(_, owner) => onChange(owner)}
      onInputChange={(_, text) => setTyped(text)}
      renderOption={({ key, ...option }, owner) => (
        <li key={key} {...option}>
          <span className={css['owner']}>
            <bdi>{nameOf(owner)}</bdi>
            {owner.name && owner.email ? <bdi className={css['email']}>{owner.email}</bdi> : null}
          </span>
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          size="small"
          label="Customer"
          error={problem !== undefined}
          helperText={problem ?? help}
          slotProps={{ ...params.slotProps, formHelperText: { role: problem || isSaved ? 'alert' : undefined } }}
        />
      )}
    />
  )
}
