not below assets
