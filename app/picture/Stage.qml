// The picture: the robot, its ghost, the person, and the marks on the ground.
import QtQuick
import QtQuick3D

Item {
    id: stage

    property bool simple: true

    // One body of a robot: it turns about its joint, and what hangs from it turns with it.
    property Component link: Component {
        Node {
            property bool ghost: false
            property alias geometry: surface.geometry
            property alias shown: surface.visible

            Model {
                id: surface
                castsShadows: !ghost
                receivesShadows: !ghost
                materials: ghost ? [stage.simple ? sieve : glass] : [stage.simple ? plain : glossy]
            }
        }
    }

    property Component mark: Component {
        Model {
            property bool beneath: false

            materials: [beneath ? painted : hovering]
            castsShadows: false
            receivesShadows: false
            depthBias: beneath ? -5 : -1000
        }
    }

    // One bone of the person.
    property Component bone: Component {
        Model {
            materials: [drawn]
            castsShadows: false
            receivesShadows: false
        }
    }

    CustomMaterial {
        id: drawn
        property real rim: 0.42 // cosine to the eye, below which the surface is the outline
        shadingMode: CustomMaterial.Unshaded
        vertexShader: "person.vert"
        fragmentShader: "person.frag"
    }
    CustomMaterial {
        id: plain
        property vector3d sun: Qt.vector3d(0.45, -0.35, 0.82)
        property real ambient: 0.38
        property vector4d wash: Qt.vector4d(0, 0, 0, 0)
        property bool sieve: false
        property real retreat: 0
        shadingMode: CustomMaterial.Unshaded
        vertexShader: "figure.vert"
        fragmentShader: "figure.frag"
    }
    CustomMaterial {
        id: sieve
        property vector3d sun: plain.sun
        property real ambient: plain.ambient
        property vector4d wash: Qt.vector4d(0.35, 0.7, 1.0, 0.85)
        property bool sieve: true
        property real retreat: 2e-4 // where both are, the robot is seen and not its ghost
        shadingMode: CustomMaterial.Unshaded
        vertexShader: "figure.vert"
        fragmentShader: "figure.frag"
    }
    PrincipledMaterial {
        id: glossy
        roughness: 0.45
        specularAmount: 0.4
    }
    PrincipledMaterial {
        id: glass
        baseColor: Qt.rgba(0.35, 0.7, 1.0, 0.45)
        vertexColorsEnabled: false
        roughness: 0.6
        alphaMode: PrincipledMaterial.Blend
        depthDrawMode: Material.OpaquePrePassDepthDraw
    }
    CustomMaterial {
        id: painted
        property bool onTop: false
        shadingMode: CustomMaterial.Unshaded
        sourceBlend: CustomMaterial.One
        destinationBlend: CustomMaterial.OneMinusSrcAlpha
        cullMode: Material.NoCulling
        vertexShader: "overlay.vert"
        fragmentShader: "overlay.frag"
    }
    CustomMaterial {
        id: hovering
        property bool onTop: true
        shadingMode: CustomMaterial.Unshaded
        sourceBlend: CustomMaterial.One
        destinationBlend: CustomMaterial.OneMinusSrcAlpha
        cullMode: Material.NoCulling
        vertexShader: "overlay.vert"
        fragmentShader: "overlay.frag"
    }

    View3D {
        anchors.fill: parent
        // The frame itself has no smooth edges: a view with its own buffer has.
        renderMode: stage.simple ? View3D.Inline : View3D.Offscreen
        camera: eye
        environment: SceneEnvironment {
            backgroundMode: SceneEnvironment.Color
            clearColor: "#101214"
            antialiasingMode: stage.simple ? SceneEnvironment.NoAA : SceneEnvironment.MSAA
            antialiasingQuality: SceneEnvironment.High
            tonemapMode: stage.simple ? SceneEnvironment.TonemapModeNone
                                      : SceneEnvironment.TonemapModeLinear
        }

        PerspectiveCamera {
            id: eye
            objectName: "eye"
            fieldOfView: 34
            clipNear: 0.1
            clipFar: 60
        }
        DirectionalLight {
            visible: !stage.simple
            eulerRotation: Qt.vector3d(28, 38, 0)
            brightness: 1.3
            ambientColor: Qt.rgba(0.45, 0.46, 0.50, 1.0)
            castsShadow: true
            shadowFactor: 60
            shadowMapQuality: Light.ShadowMapQualityHigh
            shadowMapFar: 12
            shadowBias: 0.02
            pcfFactor: 0.02
        }
        Node {
            objectName: "world"

            Model {
                objectName: "floor"
                visible: !stage.simple
                source: "#Rectangle"
                scale: Qt.vector3d(0.2, 0.2, 1)
                position: Qt.vector3d(0, 0, -0.004)
                castsShadows: false
                materials: PrincipledMaterial {
                    baseColor: "#1d2126"
                    roughness: 0.9
                    specularAmount: 0.1
                }
            }
            Model {
                objectName: "grid"
                materials: [painted]
                castsShadows: false
                receivesShadows: false
            }
            Model {
                objectName: "ground"
                materials: [painted]
                castsShadows: false
                receivesShadows: false
                depthBias: -10
            }
        }
    }
}
