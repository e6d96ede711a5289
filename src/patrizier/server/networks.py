"""Network addresses."""

import ipaddress


def network_of(host: str) -> str:
    """Return the network of an address; an IPv6 /64 counts as one.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.168.0.7")
    ('2001:db8:1:2::', '192.168.0.7')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)
