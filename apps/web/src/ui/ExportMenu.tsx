import { Suspense, useState } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { ActionMenu } from './MoreMenu.tsx'

const labels = {
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON lines',
  xlsx: 'Excel (XLSX)',
  pdf: 'PDF',
}
type Format = keyof typeof labels
const usual: readonly Format[] = ['csv', 'json', 'xlsx', 'pdf']

type Props = {
  /** What the file will hold: 'All customers that match the filters'. */
  title: string
  isPending: boolean
  formats?: readonly Format[]
  /** Where a screen has several: 'Export renewals'. */
  label?: string
  disabledReason?: string | undefined
  onExport: (format: Format) => void
}

export function ExportMenu({ title, isPending, formats = usual, label, disabledReason, onExport }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="download" />}
        disabled={isPending || disabledReason !== undefined}
        aria-label={isPending ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        title={disabledReason ?? title}
      >
        {isPending ? 'Exporting' : 'Export'}
      </Button>
      {anchor ? (
        <Suspense>
          <ActionMenu
            anchor={anchor}
            label={label ?? 'Export'}
            onClose={() => setAnchor(null)}
            actions={formats.map((format) => ({ label: labels[format], onSelect: () => onExport(format) }))}
          />
        </Suspense>
      ) : null}
    </>
  )
}
