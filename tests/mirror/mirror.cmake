named(ops laws ops train)
named(optim optim)
