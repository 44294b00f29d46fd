import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useRef } from 'react'

export type Option = { id: string; name: string; detail?: string | null }

type Props = {
  label: string
  /** What the server found. */
  options: readonly Option[]
  chosen: readonly Option[]
  /** More than one can be chosen. */
  isMany?: boolean
  isLoading: boolean
  help?: string | undefined
  problem?: string | undefined
  disabled?: boolean
  onSearch: (typed: string) => void
  onChange: (chosen: Option[]) => void
}

/** A choice among what the server finds for what was typed. */
export function SearchChoice(props: Props) {
  const { label, options, chosen, isMany = false, isLoading, help, problem, disabled = false, onSearch } = props
  const field = useRef<HTMLDivElement>(null)
  return (
    <Autocomplete<Option, boolean>
      ref={field}
      multiple={isMany}
      // Two hundred that were chosen would be the whole dialog; in the field all are there.
      limitTags={10}
      options={[...options]}
      // The same array for as long as the same is chosen: another one empties what was typed.
      value={isMany ? (chosen as Option[]) : (chosen[0] ?? null)}
      disabled={disabled}
      loading={isLoading}
      noOptionsText="Nothing matches"
      // Within the dialog, where a screen reader looks for it, yet not cut at its edge.
      slotProps={{
        popper: {
          container: () => field.current?.closest('[role=dialog], [role=alertdialog]') ?? null,
          popperOptions: { strategy: 'fixed' },
        },
      }}
      // The server has searched already.
      filterOptions={(all) => all}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(option, value) => option.id === value.id}
      filterSelectedOptions={isMany}
      onChange={(_, value) => props.onChange(value === null ? [] : Array.isArray(value) ? value : [value])}
      // What stands in the field because it was chosen is no search.
      onInputChange={(_, text, reason) => onSearch(reason === 'input' ? text : '')}
      renderOption={({ key, ...option }, { name, detail }) => (
        <li key={key} {...option}>
          <span style={{ display: 'grid', minWidth: 0, overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
            {detail ? <bdi style={{ fontSize: '0.75rem', opacity: 0.8 }}>{detail}</bdi> : null}
          </span>
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          size="small"
          label={label}
          error={problem !== undefined}
          helperText={problem ?? help}
          slotProps={{ ...params.slotProps, formHelperText: { role: problem ? 'alert' : undefined } }}
        />
      )}
    />
  )
}
