import { InputField } from '../../../ui/InputField.tsx'

type Props = { value: string; disabled: boolean; onChange: (reason: string) => void }

export function ReasonField({ value, disabled, onChange }: Props) {
  return (
    <InputField
      label="Reason"
      value={value}
      onChange={onChange}
      disabled={disabled}
      help="Shown in the site's history"
      autoComplete="off"
      autoFocus
      inputProps={{ maxLength: 500 }}
    />
  )
}
