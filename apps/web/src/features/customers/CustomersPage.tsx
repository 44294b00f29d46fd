import { CustomersTab } from './CustomersTab.tsx'

export function CustomersPage() {
  return <CustomersTab />
}
