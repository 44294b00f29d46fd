import { Suspense, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ActionMenu } from '../../ui/MoreMenu.tsx'
import type { auditFiles } from './audit-files.ts'

type Props = { exporting: boolean; onExport: (format: keyof typeof auditFiles) => void }

export function ExportMenu({ exporting, onExport }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="download" />}
        disabled={exporting}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        title="All entries that match the filters"
      >
        Export
      </Button>
      {anchor ? (
        <Suspense>
          <ActionMenu
            anchor={anchor}
            label="Export"
            onClose={() => setAnchor(null)}
            actions={[
              { label: 'CSV', onSelect: () => onExport('csv') },
              { label: 'JSON lines, with before and after', onSelect: () => onExport('jsonl') },
            ]}
          />
        </Suspense>
      ) : null}
    </>
  )
}
