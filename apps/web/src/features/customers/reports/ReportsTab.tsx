import { useCustomerReportParts } from '../../../lib/customer-report-parts.ts'
import { MailChoices } from './MailChoices.tsx'
import { UptimeReport } from './UptimeReport.tsx'

/** What a customer is told about their sites. */
export function ReportsTab({ customerId }: { customerId: string }) {
  const { CustomerSchedules } = useCustomerReportParts()
  return (
    <>
      <UptimeReport customerId={customerId} />
      <MailChoices customerId={customerId} />
      <CustomerSchedules customerId={customerId} />
    </>
  )
}
