export const CustomersPage = () => <p>reached from another feature</p>
