"""deploy/image/build: an OCI image out of Debian packages.

    debian.py    which packages, fetched with the machine's apt; what is in a .deb
    tree.py      the files of the image: what is kept of a package, what is made here
    licences.py  Debian's copyright files in SPDX's words
    sbom.py      the list of all that is in the image, SPDX 2.3
    oci.py       layers, configuration, manifest; as a folder and as a tar file
    main.py      the command

Standard library, apt and dpkg alone. The same packages and the same program give the same bytes.
"""
