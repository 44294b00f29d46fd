import * as customers from '@agency/contract/descriptors/customers'
import type { ExportFormat } from '@agency/contract/types'
import { useDenial } from '../../lib/session.ts'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'

type Props = { exporting: boolean; onExport: (format: ExportFormat) => void; onAdd: () => void }

export function HeaderActions({ exporting, onExport, onAdd }: Props) {
  return (
    <>
      <ExportMenu title="All customers that match the filters" isPending={exporting} onExport={onExport} />
      <ReasonedButton
        variant="contained"
        startIcon={<Icon name="add" />}
        aria-haspopup="dialog"
        blocked={useDenial(customers.createCustomer)}
        onClick={onAdd}
      >
        Add Customer
      </ReasonedButton>
    </>
  )
}
